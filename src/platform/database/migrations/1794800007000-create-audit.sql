-- The index login_event_player_outcome finds the last successful sign-in, even before a hundred thousand failed ones.
CREATE TABLE IF NOT EXISTS login_event (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  created_at DATETIME(3) NOT NULL
    COMMENT 'UTC; of the last one where there are several tries',
  way VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'login, register, reset, forum or password (changed while signed in); a second step: totp, passkey or recovery_code',
  outcome VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'ok, or the name of the error',
  tries INT NOT NULL DEFAULT 1
    COMMENT 'a failure that repeats within a minute is counted here and gets no row of its own',
  player_id INT NULL
    COMMENT 'NULL: no player has that name',
  account VARCHAR(64) NULL
    COMMENT 'the name as it was typed, up to 64 characters; NULL where nobody has it: it may be a password',
  address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'NULL: several, in a flood',
  device VARCHAR(128) NULL
    COMMENT 'what the form said, else the browser''s User-Agent',
  session_id BIGINT NULL
    COMMENT 'the session that began; NULL where none did',
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'as in the log lines of the request',
  PRIMARY KEY (id),
  KEY login_event_address (address),
  KEY login_event_created_at (created_at),
  KEY login_event_player_time (player_id, created_at),
  KEY login_event_request (request_id),
  KEY login_event_player_outcome (player_id, outcome, created_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: sign-ins and failed ones; deleted after login_events.retention_days of the settings';

CREATE TABLE IF NOT EXISTS mail_event (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; when the outcome was known',
  player_id INT NOT NULL COMMENT 'whose mail it was',
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'its folder of templates, such as code or reset',
  outcome VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'sent, uncertain: it may have arrived, failed, or held_back by verify.per_minute_all',
  reply INT NULL COMMENT 'code with which the mail server refused it, such as 451; NULL: it took it, or did not answer',
  mailbox VARCHAR(260) NOT NULL COMMENT 'only a part of the address',
  PRIMARY KEY (id),
  KEY mail_event_player_time (player_id, created_at),
  KEY mail_event_created_at (created_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: mails to players, without their text; deleted after login_events.retention_days of the settings';

CREATE TABLE IF NOT EXISTS refused_request (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the requests',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; when it was answered',
  player_id INT NULL COMMENT 'who sent it; NULL: for a code, by somebody who was not signed in',
  method VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as POST',
  path VARCHAR(64) NOT NULL COMMENT 'without the query',
  error VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'name of the error',
  address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the client',
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'as in the answer and in the log lines of the request',
  PRIMARY KEY (id),
  KEY refused_request_created_at (created_at),
  KEY refused_request_player_time (player_id, created_at),
  KEY refused_request_request (request_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: refused requests other than sign-ins; deleted after login_events.retention_days of the settings';

-- Without the index audit_event_operator_act, MariaDB merges two indexes and sorts, which takes 400 ms with half a
-- million rows.
CREATE TABLE IF NOT EXISTS audit_event (
  id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  created_at DATETIME(3) NOT NULL
    COMMENT 'UTC; of an SQL edit: when the service saw it',
  operator VARCHAR(64) NOT NULL
    COMMENT 'who did it; sql: an edit by SQL',
  act VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'such as player.disable',
  subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'such as player 42',
  state_before TEXT NULL COMMENT 'JSON',
  state_after TEXT NULL COMMENT 'JSON',
  note VARCHAR(1000) NOT NULL
    COMMENT 'why, in the operator''s words',
  change_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'of an SQL edit: several instances see it, the key lets one of them add the row',
  PRIMARY KEY (id),
  UNIQUE KEY audit_event_change (change_key),
  KEY audit_event_subject (subject),
  KEY audit_event_created_at (created_at),
  KEY audit_event_operator (operator, created_at),
  KEY audit_event_act (act, created_at),
  KEY audit_event_operator_act (operator, act, created_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: what operators did, SQL edits of servers, and changes of settings; kept for ever';
