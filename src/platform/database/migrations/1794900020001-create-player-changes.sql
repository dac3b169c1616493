CREATE TABLE IF NOT EXISTS player_change (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the changes',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  player_id INT NOT NULL COMMENT 'the account, whose owner or thief made the change',
  what VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'such as password, email, totp_removed, linked or closing',
  detail VARCHAR(128) NULL COMMENT 'a part of the new mailbox, the identity, or the name of the passkey',
  address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the client',
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'as in the answer and in the log lines of the request',
  PRIMARY KEY (id),
  KEY player_change_created_at (created_at),
  KEY player_change_player_time (player_id, created_at),
  KEY player_change_request (request_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: what players changed in their accounts; deleted after login_events.retention_days of the settings';
