-- The service chooses the ids, so that one statement can store many players' logins.
CREATE TABLE IF NOT EXISTS session (
  player_id INT NOT NULL COMMENT 'the account',
  id BIGINT NOT NULL COMMENT 'random; the sid of its tokens',
  ver INT NOT NULL COMMENT 'the player''s ver; the session is over once the player has another',
  device VARCHAR(64) NULL COMMENT 'device of the sign-in',
  os VARCHAR(64) NULL COMMENT 'operating system of the sign-in',
  browse VARCHAR(64) NULL COMMENT 'browser of the sign-in',
  address VARCHAR(45) NULL COMMENT 'where it signed in or was refreshed last',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; the sign-in',
  confirmed_at DATETIME(3) NOT NULL
    COMMENT 'UTC; last time the player proved to be the owner: the sign-in, or the password; 1970: the cookie was used since',
  second_factor_at DATETIME(3) NULL
    COMMENT 'UTC; last time with a second factor, which alone counts once the account has one; NULL: never, or the cookie was used since',
  seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last use, exact to ten minutes',
  expires_at DATETIME(3) NOT NULL COMMENT 'UTC; afterwards no token of it works',
  ended_at DATETIME(3) NULL COMMENT 'UTC; set: no token and no cookie of it works',
  cookie_hash VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'hash of the stay-signed-in cookie; NULL where there is none',
  cookie_salt VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'the cookie was derived from this and the cookie before',
  previous_hash VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'hash of the cookie before, which works for 30 seconds',
  rotated_at DATETIME(3) NULL COMMENT 'UTC; when the cookie took the place of the one before',
  PRIMARY KEY (player_id, id),
  KEY session_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: sign-ins; kept for a day after they expire';
