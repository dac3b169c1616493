CREATE TABLE IF NOT EXISTS withdraw (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'the withdrawal, for players and operators',
  player_id INT NOT NULL COMMENT 'the account',
  server_id INT NOT NULL COMMENT 'server the player chose',
  role_server_id INT NOT NULL COMMENT 'server whose game database holds the role: another where server_id was merged',
  role_id BIGINT NOT NULL COMMENT 'role in the game; ids are the server''s own',
  role_name VARCHAR(64) NOT NULL COMMENT 'name of the role at the time',
  amount BIGINT NOT NULL COMMENT 'deducted from the role''s balance',
  balance_before BIGINT NULL COMMENT 'seen in the game database before sending',
  status ENUM('created','sending','succeeded','refused','failed','unknown') NOT NULL
    COMMENT 'settle unknown ones: set succeeded or failed, WHERE status = ''unknown''; the role is free at once',
  reason VARCHAR(64) NULL COMMENT 'error name of a refused or failed one',
  idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'of the client; kept for ever',
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'X-Request-Id of the player''s request',
  order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
    COMMENT 'what the game server knows it by; NULL: nothing was ever sent',
  -- MariaDB and MySQL each execute only their own comment, which names a collation that respects trailing spaces.
  gm_host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */ NULL
    COMMENT 'game server that the command went to; the only one that is asked for its outcome',
  gm_port INT NULL COMMENT 'port of gm_host',
  gm_path VARCHAR(255) CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */ NULL COMMENT 'path on gm_host',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; the player''s request',
  sent_at DATETIME(3) NULL COMMENT 'UTC; the command went out right after',
  settled_at DATETIME(3) NULL COMMENT 'UTC; when the outcome was known',
  asks INT NOT NULL DEFAULT 0 COMMENT 'how often the game server was asked for the outcome',
  asked_at DATETIME(3) NULL COMMENT 'UTC; the last time it was asked',
  mailed_at DATETIME(3) NULL COMMENT 'UTC; when the mail to the owner was sent, once for each withdrawal',
  -- A withdrawal with any other status is open, because an operator may have to settle it.
  is_open INT AS (CASE WHEN status NOT IN ('succeeded', 'refused', 'failed') THEN 1 END) STORED COMMENT 'allows one open withdrawal per server and role',
  PRIMARY KEY (id),
  UNIQUE KEY withdraw_open (role_server_id, role_id, is_open),
  UNIQUE KEY withdraw_key (player_id, idempotency_key),
  UNIQUE KEY withdraw_order (order_no),
  KEY withdraw_player (player_id, created_at),
  KEY withdraw_status (status, created_at),
  KEY withdraw_settled_at (settled_at),
  KEY withdraw_request (request_id),
  KEY withdraw_created_at (created_at),
  KEY withdraw_server (role_server_id, created_at),
  KEY withdraw_server_status (role_server_id, status, created_at),
  CONSTRAINT withdraw_amount CHECK (amount > 0),
  -- A withdrawal gets its order number right before the service sends it.
  CONSTRAINT withdraw_never_sent CHECK (status <> 'created' OR order_no IS NULL),
  CONSTRAINT withdraw_sent CHECK (status NOT IN ('sending', 'unknown', 'succeeded') OR order_no IS NOT NULL),
  CONSTRAINT withdraw_status CHECK (status IN ('created','sending','succeeded','refused','failed','unknown')),
  -- A NULL has a meaning in each of these columns, but a GUI editor may save '' instead.
  CONSTRAINT withdraw_no_blanks CHECK (reason <> '' AND idempotency_key <> '' AND order_no <> '' AND gm_host <> '' AND gm_path <> '')
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: withdrawals; what happened to each is in withdraw_event';

CREATE TABLE IF NOT EXISTS withdraw_event (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  withdraw_id INT NOT NULL COMMENT 'the withdrawal',
  from_status ENUM('created','sending','succeeded','refused','failed','unknown') NULL COMMENT 'NULL: the withdrawal is new',
  to_status ENUM('created','sending','succeeded','refused','failed','unknown') NOT NULL COMMENT 'status from then on',
  cause ENUM('request','balance','gm','sweeper','gm_query','person','sql') NOT NULL
    COMMENT 'gm: the game server''s answer, or none; gm_query: it was asked later; sql: an edit that the service noticed',
  evidence VARCHAR(1000) NOT NULL COMMENT 'why: the answer, the balance, or the operator''s note',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (id),
  KEY withdraw_event_withdraw (withdraw_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: every change of a withdrawal''s status; rows are only added';

CREATE TABLE IF NOT EXISTS withdraw_orphan (
  id INT NOT NULL AUTO_INCREMENT COMMENT 'its own, not that of the withdrawal',
  order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
    COMMENT 'what the game server knows it by',
  outcome VARCHAR(16) NOT NULL
    COMMENT 'what the game server said: accepted, refused, not_sent or unknown',
  evidence VARCHAR(1000) NOT NULL COMMENT 'the game server''s answer',
  withdraw_id INT NOT NULL
    COMMENT 'id that its row had; another withdrawal may have it now',
  player_id INT NOT NULL COMMENT 'the account',
  server_id INT NOT NULL COMMENT 'server the player chose',
  role_server_id INT NOT NULL COMMENT 'server whose game database holds the role',
  role_id BIGINT NOT NULL COMMENT 'role in the game; ids are the server''s own',
  role_name VARCHAR(64) NOT NULL COMMENT 'name of the role at the time',
  amount BIGINT NOT NULL COMMENT 'deducted, where the outcome is accepted',
  balance_before BIGINT NULL COMMENT 'seen in the game database before sending',
  idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'of the client',
  requested_at DATETIME(3) NOT NULL COMMENT 'UTC; created_at of its row',
  sent_at DATETIME(3) NOT NULL COMMENT 'UTC; the command went out right after',
  gm_host VARCHAR(255) NOT NULL COMMENT 'game server that the command went to',
  gm_port INT NOT NULL COMMENT 'port of gm_host',
  gm_path VARCHAR(255) NOT NULL COMMENT 'path on gm_host',
  created_at DATETIME(3) NOT NULL COMMENT 'UTC; when the service missed the row',
  handled_at DATETIME(3) NULL
    COMMENT 'UTC; set it once a person has dealt with it: the alarm ends',
  PRIMARY KEY (id),
  UNIQUE KEY withdraw_orphan_order (order_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
  COMMENT = 'Gatehouse: orders that were sent and whose row in withdraw is gone; for a person';
