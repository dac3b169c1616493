CREATE TABLE IF NOT EXISTS operator (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the operator, in operator_session',
  name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'for the sign-in, and in audit_event',
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'support, moderator, treasury or admin; any other may do nothing',
  password VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'scrypt, with its salt; gatehouse operator reset makes a new one',
  totp_secret VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'encrypted; NULL: the next sign-in sets an own password and an app',
  totp_last_step INT NULL
    COMMENT 'time step of the last used code; that code and older ones are refused',
  disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no sign-in and no session works',
  unlocked_at DATETIME(3) NULL
    COMMENT 'UTC; last reset or enable: failed sign-ins from before no longer count',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (id),
  UNIQUE KEY operator_name (name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: who may use the desk; changed by gatehouse operator';

CREATE TABLE IF NOT EXISTS operator_session (
  id VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'SHA-256 of the cookie, in base64url',
  operator_id INT NOT NULL COMMENT 'who signed in',
  address VARCHAR(45) NOT NULL COMMENT 'where from',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; the sign-in',
  seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last use, exact to a minute; 30 minutes later it is over',
  expires_at DATETIME(3) NOT NULL COMMENT 'UTC; over, used or not',
  PRIMARY KEY (id),
  KEY operator_session_operator_id (operator_id),
  KEY operator_session_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: sign-ins at the desk; deleted when they end';

-- The primary key ensures that only one of two concurrent requests succeeds.
CREATE TABLE IF NOT EXISTS approval_request (
  kind ENUM('withdrawal','server') NOT NULL COMMENT 'what shall be settled, or changed',
  target_id INT NOT NULL COMMENT 'id of that withdrawal or server',
  order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'of the withdrawal; after a failover its id alone may be another''s',
  proposal TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
    COMMENT 'status that the withdrawal shall get, or columns of the server as JSON',
  operator VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'who asks for it; another one has to agree',
  note VARCHAR(1000) NOT NULL COMMENT 'why, in the operator''s words',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (kind, target_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: what one operator wants done at the desk and a second has not confirmed yet';
