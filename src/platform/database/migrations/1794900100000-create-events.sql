CREATE TABLE IF NOT EXISTS event_outbox (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order in which a player''s events are sent',
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'its name in events of the settings; empty: a command could not read the settings, and an instance fills it in',
  player_id INT NOT NULL COMMENT 'the player whom it is about',
  webhook_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'the same for every endpoint and every try, so that receivers can drop repeats',
  type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as player.banned',
  body TEXT NOT NULL COMMENT 'the JSON text that is sent',
  status ENUM('waiting', 'delivered', 'dead') NOT NULL DEFAULT 'waiting'
    COMMENT 'dead: given up after the last try; gatehouse events resend sends it again',
  tries INT NOT NULL DEFAULT 0 COMMENT 'failed deliveries',
  failure VARCHAR(200) NULL COMMENT 'why the last delivery failed',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  tried_at DATETIME(3) NULL COMMENT 'UTC; the last delivery',
  expires_at DATETIME(3) NOT NULL COMMENT 'UTC; then the row is deleted',
  PRIMARY KEY (id),
  KEY event_outbox_player (player_id, endpoint, status, id),
  KEY event_outbox_status (status, endpoint, id),
  KEY event_outbox_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: events for the endpoints in the settings, a row for each event and endpoint';

CREATE TABLE IF NOT EXISTS event_queue (
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as in event_outbox',
  player_id INT NOT NULL COMMENT 'a player with waiting events; 0: the endpoint itself, which answered 410',
  due_at DATETIME(3) NOT NULL
    COMMENT 'UTC; when the player''s first waiting event is sent. An instance that sends it sets it a minute ahead',
  version INT NOT NULL DEFAULT 0 COMMENT 'grows with each new event',
  switched_off_by VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'for player 0: digest of the settings under which the endpoint answered 410; others switch it on again',
  PRIMARY KEY (endpoint, player_id),
  KEY event_queue_due (endpoint, due_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: whose events wait for which endpoint, and until when';
