CREATE TABLE IF NOT EXISTS verify (
  email VARCHAR(254) NOT NULL COMMENT 'lower case; a new code takes the place of the old one',
  code VARCHAR(64) NOT NULL COMMENT 'keyed hash; the code itself is nowhere but in the mail',
  asked_by VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''
    COMMENT 'address that asked for the code, IPv6 as its /64',
  tries INT NOT NULL COMMENT 'wrong tries of asked_by; at 5 the code is void',
  tries_of_others INT NOT NULL DEFAULT 0
    COMMENT 'wrong tries of all other addresses; at 5 the code is void for them',
  expires_at DATETIME(3) NOT NULL COMMENT 'UTC; 60 seconds after the mail server took the message',
  used_at DATETIME(3) NULL COMMENT 'UTC; set: used up',
  PRIMARY KEY (email),
  KEY verify_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: e-mailed codes; the service removes old rows';

CREATE TABLE IF NOT EXISTS mailbox_undo (
  player_id INT NOT NULL COMMENT 'the account',
  version INT NOT NULL COMMENT 'the player''s lock_version at the change; later changes have a larger one',
  email VARCHAR(254) NOT NULL COMMENT 'the mailbox before, which the link in its mail restores',
  expires_at DATETIME(3) NOT NULL COMMENT 'UTC; 72 hours after the change',
  PRIMARY KEY (player_id, version),
  KEY mailbox_undo_expires_at (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: changes of mailboxes that can be undone; a used link has no row';
