CREATE TABLE IF NOT EXISTS denied_address (
  address VARCHAR(49) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'an IPv4 address or an IPv6 network, such as 203.0.113.7 or 2001:db8:0:1::/64',
  note VARCHAR(1000) NOT NULL COMMENT 'why, in the operator''s words',
  created_by VARCHAR(64) NOT NULL COMMENT 'who blocked it',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  until DATETIME(3) NOT NULL COMMENT 'UTC; from then on the address is let in again',
  PRIMARY KEY (address)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: addresses that operators blocked at the desk, in addition to deny_ip of the settings';
