-- In a non-strict session, an ENUM without a CHECK stores an unknown value as ''. The id is not AUTO_INCREMENT, because
-- neither MySQL nor MariaDB allows such a column in a CHECK, and operators choose the number anyway.
CREATE TABLE IF NOT EXISTS server (
  id INT UNSIGNED NOT NULL
    COMMENT 'the server; its game database is mir_actor_s{id} unless the settings say otherwise',
  name VARCHAR(64) NOT NULL
    COMMENT 'what players see',
  address VARCHAR(255) NOT NULL
    COMMENT 'host name or address the game client connects to',
  port INT NOT NULL
    COMMENT 'port the game client connects to, 1-65535',
  status ENUM('new','normal','busy','full','maintenance','closed') NOT NULL DEFAULT 'normal'
    COMMENT 'full: nobody new registers into it; maintenance: listed, but nobody enters; closed: not listed at all',
  sort INT NOT NULL DEFAULT 0
    COMMENT 'place in the list, smallest first, then by id',
  open_at DATETIME NULL
    COMMENT 'UTC; listed before this time, but cannot be entered yet; NULL: open',
  merged_into INT NULL
    COMMENT 'id of the server whose game database this one now uses; NULL: its own',
  gm_address VARCHAR(255) NULL
    COMMENT 'host of the GM interface; NULL: the same as address',
  gm_port INT NOT NULL DEFAULT 8080
    COMMENT 'port of the GM interface, 1-65535',
  gm_path VARCHAR(255) NOT NULL DEFAULT '/gm'
    COMMENT 'path of the GM interface, starts with /',
  db_host VARCHAR(255) NULL
    COMMENT 'host of the game database; NULL: that of GAME_DATABASE_URL',
  db_port INT NULL
    COMMENT 'port of the game database; NULL: that of GAME_DATABASE_URL',
  zone_group VARCHAR(32) NULL
    COMMENT 'the tab under which players find the server; NULL: none, servers without one are shown in twenties',
  recommended TINYINT NOT NULL DEFAULT 0
    COMMENT '1: offered to players first; with none, the newest open server is',
  PRIMARY KEY (id),
  KEY server_merged (merged_into),
  CONSTRAINT server_name CHECK (TRIM(name) <> ''),
  CONSTRAINT server_address CHECK (TRIM(address) <> ''),
  CONSTRAINT server_port CHECK (port BETWEEN 1 AND 65535),
  CONSTRAINT server_gm_port CHECK (gm_port BETWEEN 1 AND 65535),
  CONSTRAINT server_gm_path CHECK (gm_path LIKE '/%'),
  CONSTRAINT server_db_port CHECK (db_port BETWEEN 1 AND 65535),
  CONSTRAINT server_status CHECK (status IN ('new','normal','busy','full','maintenance','closed')),
  CONSTRAINT server_gm_address CHECK (TRIM(gm_address) <> ''),
  CONSTRAINT server_db_host CHECK (TRIM(db_host) <> ''),
  CONSTRAINT server_zone_group CHECK (TRIM(zone_group) <> ''),
  CONSTRAINT server_recommended CHECK (recommended IN (0, 1)),
  CONSTRAINT server_plain_hosts CHECK
    (address NOT LIKE '%/%' AND COALESCE(gm_address, '') NOT LIKE '%/%' AND COALESCE(db_host, '') NOT LIKE '%/%'),
  CONSTRAINT server_id CHECK (id > 0),
  CONSTRAINT server_merged_into CHECK (merged_into > 0 AND merged_into <> id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: game servers; an edit shows on every instance within 2 seconds';
