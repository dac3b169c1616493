CREATE TABLE IF NOT EXISTS agent (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the agent_id in a promoter''s links',
  name VARCHAR(64) NOT NULL COMMENT 'what operators call the promoter',
  active TINYINT NOT NULL DEFAULT 1 COMMENT '0: new players are no longer counted for this promoter',
  PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: promoters';

-- Generated columns are stored, because with an index over a virtual column MariaDB cannot add columns instantly.
CREATE TABLE IF NOT EXISTS player (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the player, in every other table',
  account VARCHAR(64) NOT NULL COMMENT 'unique without regard to case',
  password VARCHAR(64) NOT NULL COMMENT 'md5(password + PASSWORD_KEY) in lower-case hex',
  email VARCHAR(254) NULL COMMENT 'lower case; NULL where there is none',
  server_id INT NULL COMMENT 'server chosen last',
  ip VARCHAR(45) NULL COMMENT 'address seen last',
  device VARCHAR(64) NULL COMMENT 'device at registration',
  os VARCHAR(64) NULL COMMENT 'operating system at registration',
  browse VARCHAR(64) NULL COMMENT 'browser at registration',
  agent_id INT NULL COMMENT 'promoter',
  ver INT NOT NULL DEFAULT 0 COMMENT 'grows with each password reset; ends every older JWT',
  disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no login, and no token of the account works',
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; the registration',
  entered_at DATETIME(3) NULL COMMENT 'UTC; last time in a game',
  enter_count INT NOT NULL DEFAULT 0 COMMENT 'how often the player has entered a game',
  -- MariaDB and MySQL each execute only their own comment, which names a collation that respects trailing spaces.
  game_account VARCHAR(64) CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */ NULL
    COMMENT 'exact name in the game''s tables, compared byte for byte; NULL: account, until it is first needed',
  game_account_folded VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci AS (game_account) STORED
    COMMENT 'game_account without regard to case; nobody can register it',
  new_device_mail_at DATETIME(3) NULL COMMENT 'UTC; last mail about a sign-in from a new address, at most one an hour',
  withdraw_paused_at DATETIME(3) NULL
    COMMENT 'UTC; last password reset by mail, new mailbox or removed second factor: no withdrawal for withdraw.pause_hours; NULL: no pause',
  has_second_factor TINYINT NOT NULL DEFAULT 0
    COMMENT '1: has a confirmed authenticator app or a passkey; kept by the service, see gatehouse player reset-second-factor',
  imported TINYINT NOT NULL DEFAULT 0
    COMMENT '1: imported and not signed in yet; the password may be plain md5 or of GBK bytes until then',
  lock_version INT NOT NULL DEFAULT 0
    COMMENT 'grows with each lock on the account: nodes of a cluster compare changes, not locks',
  closing_at DATETIME(3) NULL
    COMMENT 'UTC; when the account is closed and its personal data removed; past: within a minute; set NULL before then to keep it',
  closed_at DATETIME(3) NULL
    COMMENT 'UTC; when it was closed; nobody can sign in any more, and the names stay taken; never set it yourself',
  exported_at DATETIME(3) NULL COMMENT 'UTC; when the owner last downloaded the data, once a day',
  PRIMARY KEY (id),
  UNIQUE KEY player_account (account),
  UNIQUE KEY player_email (email),
  UNIQUE KEY player_game_name (game_account),
  KEY player_game_folded (game_account_folded),
  KEY player_closing_at (closing_at),
  CONSTRAINT player_game_account CHECK (TRIM(game_account) <> ''),
  CONSTRAINT player_with_email CHECK (TRIM(email) <> ''),
  -- A closed account must not allow a sign-in, whether the service, an import or an SQL edit changes it.
  CONSTRAINT player_closed CHECK (closed_at IS NULL
      OR (disabled_at IS NOT NULL AND email IS NULL AND password = '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!')),
  -- A non-strict SQL editor stores the empty string as the year 0, which would count as a past time.
  CONSTRAINT player_closing CHECK (closing_at > '2000-01-01'),
  CONSTRAINT player_second_factor CHECK (has_second_factor IN (0, 1))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: accounts';

CREATE TABLE IF NOT EXISTS player_alias (
  name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */ NOT NULL
    COMMENT 'an old name, compared byte for byte; never the account of anybody',
  player_id INT NOT NULL COMMENT 'the player who logs in with the name',
  PRIMARY KEY (name),
  KEY player_alias_player (player_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
  COMMENT = 'Gatehouse: old names of players who were renamed when they were moved over; they go on logging in with them';

-- The table has no foreign key, which would lock the player's row again at every entry. No decision depends on these
-- rows.
CREATE TABLE IF NOT EXISTS player_zone (
  player_id INT NOT NULL COMMENT 'the account',
  server_id INT NOT NULL COMMENT 'a server that it has entered',
  entered_at DATETIME(3) NOT NULL COMMENT 'UTC; the last time',
  enter_count INT NOT NULL DEFAULT 1 COMMENT 'how often',
  PRIMARY KEY (player_id, server_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: which servers a player has entered; a server that was never entered has no row';

-- Because of the foreign key, a ban inserted with SQL waits for the player's lock, under which withdrawals are created.
-- The key has one column, because MySQL 9.7 does not enforce a key whose second column is NULL. The default is not
-- CURRENT_TIMESTAMP, which is local time in an SQL client's session. A non-strict GUI editor stores '' as the year 0,
-- which would lift the ban.
CREATE TABLE IF NOT EXISTS player_ban (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the ban',
  player_id INT NOT NULL COMMENT 'the banned player',
  scope ENUM('all','withdraw') NOT NULL DEFAULT 'all'
    COMMENT 'all: no sign-in, and no token of the account works; withdraw: no withdrawals',
  reason VARCHAR(200) NOT NULL COMMENT 'shown and mailed to the player',
  note VARCHAR(1000) NOT NULL DEFAULT '' COMMENT 'for operators alone',
  created_by VARCHAR(64) NOT NULL DEFAULT 'sql' COMMENT 'the operator',
  created_at DATETIME(3) NOT NULL DEFAULT (UTC_TIMESTAMP(3)) COMMENT 'UTC',
  until DATETIME(3) NULL COMMENT 'UTC; the ban ends by itself then; NULL: for good',
  lifted_at DATETIME(3) NULL COMMENT 'UTC; set it to lift the ban; NULL: not lifted',
  applied_at DATETIME(3) NULL
    COMMENT 'UTC; when the service ended the sessions and mailed the owner; set it yourself and it does neither',
  PRIMARY KEY (id),
  KEY player_ban_player (player_id),
  KEY player_ban_lifted (lifted_at, until),
  KEY player_ban_applied (applied_at),
  CONSTRAINT player_ban_owner FOREIGN KEY (player_id) REFERENCES player (id)
    ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT player_ban_scope CHECK (scope IN ('all','withdraw')),
  CONSTRAINT player_ban_reason CHECK (TRIM(reason) <> ''),
  CONSTRAINT player_ban_created_by CHECK (TRIM(created_by) <> ''),
  CONSTRAINT player_ban_until CHECK (until > created_at),
  CONSTRAINT player_ban_lifted_at CHECK (lifted_at > '2000-01-01')
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: bans; in force while lifted_at is NULL and until is NULL or ahead, on every instance at once';

CREATE TABLE IF NOT EXISTS login_address (
  player_id INT NOT NULL COMMENT 'the account',
  address VARCHAR(64) NOT NULL COMMENT 'an IPv4 address, or the /64 of an IPv6 one',
  seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last login, exact to a day',
  PRIMARY KEY (player_id, address),
  KEY login_address_seen_at (seen_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: where an account was logged in from in the last 30 days; strangers who fail on it do not lock these out';

CREATE TABLE IF NOT EXISTS registration_day (
  day VARCHAR(10) NOT NULL COMMENT 'such as 2026-11-15, in the timezone of the settings',
  taken INT NOT NULL COMMENT 'registrations of that day, held against day_max_reg',
  PRIMARY KEY (day)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: one row a day, so that the cap needs no counting of players';
