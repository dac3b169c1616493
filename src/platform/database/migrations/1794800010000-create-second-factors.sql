CREATE TABLE IF NOT EXISTS player_totp (
  player_id INT NOT NULL COMMENT 'the account',
  secret VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'secret of the app, encrypted with a key from JWT_SECRET',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; when the secret was shown',
  confirmed_at DATETIME(3) NULL
    COMMENT 'UTC; first right code; NULL: pending, does not count yet, and is void after ten minutes',
  last_step INT NOT NULL DEFAULT 0 COMMENT 'time step of the last accepted code: each is accepted once',
  PRIMARY KEY (player_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: authenticator apps of players';

CREATE TABLE IF NOT EXISTS player_recovery_code (
  player_id INT NOT NULL COMMENT 'the account',
  code_hash VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'hash of the code, with a key from PASSWORD_KEY',
  used_at DATETIME(3) NULL COMMENT 'UTC; NULL: not used yet',
  PRIMARY KEY (player_id, code_hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: recovery codes for the second step of a sign-in';

CREATE TABLE IF NOT EXISTS player_passkey (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the passkey',
  player_id INT NOT NULL COMMENT 'the account',
  credential_id VARCHAR(1364) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'WebAuthn credential id, in base64url',
  public_key VARCHAR(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'COSE public key, in base64url',
  sign_count BIGINT NOT NULL DEFAULT 0 COMMENT 'signature counter; a lower one shows a copied authenticator',
  transports VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' COMMENT 'hints for the browser, separated by commas',
  name VARCHAR(32) NOT NULL COMMENT 'what the player calls it',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  used_at DATETIME(3) NULL COMMENT 'UTC; last use',
  PRIMARY KEY (id),
  UNIQUE KEY player_passkey_credential (credential_id),
  KEY player_passkey_player (player_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: passkeys of players';
