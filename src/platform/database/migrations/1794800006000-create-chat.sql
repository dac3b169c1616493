-- Each additional index would reduce the records per second by an eighth. Role names and ids are compared byte by byte,
-- because the table's own collation treats all emoji as equal.
CREATE TABLE IF NOT EXISTS chat (
  id BIGINT NOT NULL AUTO_INCREMENT
    COMMENT 'in the order of the reports',
  server_id INT NOT NULL
    COMMENT 'server it was said in',
  chat_id VARCHAR(110) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'the game''s own id of it, unique within the server; NULL where the game gave none; from an address that is no game server: that address and a space before it',
  account VARCHAR(64) NULL
    COMMENT 'account of the speaker',
  role_id BIGINT NULL
    COMMENT 'role of the speaker; ids are the server''s own',
  role_name VARCHAR(64) COLLATE utf8mb4_bin NULL
    COMMENT 'name of the role at the time',
  channel VARCHAR(32) NULL
    COMMENT 'where in the game, in the game''s words',
  content VARCHAR(2000) NOT NULL
    COMMENT 'as it was sent',
  time DATETIME NOT NULL
    COMMENT 'UTC; when it was said, by the game''s clock',
  reported_by VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'address that reported it',
  created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
    COMMENT 'UTC; when it was reported; chat.retention_days counts from here',
  PRIMARY KEY (id),
  UNIQUE KEY chat_id (server_id, chat_id),
  KEY chat_server (server_id, time),
  KEY chat_account (account, time),
  KEY chat_role (server_id, role_id, time),
  KEY chat_time (time)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: what was said in the games, for moderators';
