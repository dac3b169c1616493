CREATE TABLE IF NOT EXISTS game_server_call (
  address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'of the game server, in game_server_ips',
  path VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as /api/link',
  accepted_at DATETIME(3) NOT NULL
    COMMENT 'UTC; when its last accepted request to this path arrived, up to 10 s late',
  clock_skew INT NULL
    COMMENT 'how many seconds its clock was ahead of the database''s; NULL: the request was not signed',
  PRIMARY KEY (address, path),
  KEY game_server_call_accepted_at (accepted_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: last accepted requests of game servers; deleted after login_events.retention_days of the settings';
