CREATE TABLE IF NOT EXISTS reserved_name (
  name VARCHAR(64) NOT NULL COMMENT 'owns roles in the game although no player has it; compared without regard to case',
  reserved_at DATETIME(3) NOT NULL DEFAULT (UTC_TIMESTAMP(3)) COMMENT 'UTC',
  PRIMARY KEY (name),
  CONSTRAINT reserved_name_name CHECK (TRIM(name) <> '')
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: names that nobody can register, because strangers would get the roles; filled by gatehouse import and gatehouse check';
