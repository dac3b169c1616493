CREATE TABLE IF NOT EXISTS import_player (
  old_key VARBINARY(192) NOT NULL
    COMMENT 'id in the old table, 9 bytes; where that has none, the bytes of the name',
  player_id INT NULL COMMENT 'NULL: could not be moved',
  row_sum INT UNSIGNED NOT NULL COMMENT 'CRC32 of the old row as it was read',
  password_sum INT UNSIGNED NOT NULL
    COMMENT 'CRC32 of the password as it was stored here; another one now: the player changed it',
  email_sum INT UNSIGNED NOT NULL COMMENT 'the same of the mailbox',
  ban_sum INT UNSIGNED NOT NULL COMMENT 'CRC32 of the ban in player_ban; 0: none',
  PRIMARY KEY (old_key),
  UNIQUE KEY import_player_player (player_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
  COMMENT = 'Gatehouse: who was moved over from the previous generation, for gatehouse import';

CREATE TABLE IF NOT EXISTS import_finding (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'in the order of run.csv',
  old_key VARBINARY(192) NOT NULL COMMENT 'as in import_player; empty: no player',
  class VARCHAR(64) NOT NULL COMMENT 'what is the matter',
  account VARCHAR(255) NOT NULL COMMENT 'name in the old table',
  detail VARCHAR(500) NOT NULL COMMENT 'more about it',
  rule VARCHAR(200) NOT NULL COMMENT 'what was done',
  PRIMARY KEY (id),
  KEY import_finding_key (old_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
  COMMENT = 'Gatehouse: what gatehouse import reports in run.csv';

CREATE TABLE IF NOT EXISTS import_chunk (
  last_key VARBINARY(192) NOT NULL COMMENT 'the last old row of the chunk',
  after_key VARBINARY(192) NOT NULL COMMENT 'the old row before its first one',
  checksum VARCHAR(64) NOT NULL COMMENT 'of its old rows as they were read: number, XOR, sum',
  PRIMARY KEY (last_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
  COMMENT = 'Gatehouse: old rows that gatehouse import has read';

CREATE TABLE IF NOT EXISTS import_state (
  name VARCHAR(32) NOT NULL COMMENT 'what is remembered',
  value TEXT NOT NULL COMMENT 'JSON, or text',
  PRIMARY KEY (name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
  COMMENT = 'Gatehouse: what gatehouse import remembers: its source, checksums of small tables';
