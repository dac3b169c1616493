-- The foreign key has no CASCADE, because multi-primary group replication rejects tables with cascading foreign keys.
CREATE TABLE IF NOT EXISTS player_connect_threeparty (
  player_id INT NOT NULL COMMENT 'the local account; delete its links before it',
  provider VARCHAR(32) NOT NULL COMMENT 'who gave the identity, such as forum',
  connect_id VARCHAR(128) NOT NULL COMMENT 'the identity there; compared exactly',
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; when it was linked',
  PRIMARY KEY (player_id, provider),
  UNIQUE KEY player_connect_identity (provider, connect_id),
  CONSTRAINT player_connect_player FOREIGN KEY (player_id) REFERENCES player (id)
    ON DELETE NO ACTION ON UPDATE NO ACTION
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
  COMMENT = 'Gatehouse: third-party identities of accounts';

CREATE TABLE IF NOT EXISTS used_once (
  hash VARCHAR(43) NOT NULL COMMENT 'SHA-256 of the state, ticket or signature, in base64url',
  expires_at DATETIME(3) NOT NULL
    COMMENT 'UTC; from then on it is too old anyway, and the service removes the row',
  PRIMARY KEY (hash),
  KEY used_once_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
  COMMENT = 'Gatehouse: states and tickets of forum logins and signatures of callbacks that were used';
