-- 3.45.1

CREATE TABLE "agent" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar(64) COLLATE NOCASE CHECK (length("name") <= 64) NOT NULL,
  "active" boolean NOT NULL DEFAULT (1)
);

CREATE TABLE "approval_request" (
  "kind" varchar CHECK( "kind" IN ('withdrawal','server') ) NOT NULL,
  "target_id" integer NOT NULL,
  "order_no" varchar(64) CHECK (length("order_no") <= 64) NOT NULL,
  "proposal" text NOT NULL,
  "operator" varchar(64) CHECK (length("operator") <= 64) NOT NULL,
  "note" varchar(1000) COLLATE NOCASE CHECK (length("note") <= 1000) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  PRIMARY KEY ("kind", "target_id")
);

CREATE TABLE "audit_event" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "operator" varchar(64) COLLATE NOCASE CHECK (length("operator") <= 64) NOT NULL,
  "act" varchar(32) CHECK (length("act") <= 32) NOT NULL,
  "subject" varchar(64) CHECK (length("subject") <= 64) NOT NULL,
  "state_before" text,
  "state_after" text,
  "note" varchar(1000) COLLATE NOCASE CHECK (length("note") <= 1000) NOT NULL,
  "change_key" varchar(64) CHECK (length("change_key") <= 64)
);

CREATE INDEX "audit_event_act" ON "audit_event" ("act", "created_at");

CREATE UNIQUE INDEX "audit_event_change" ON "audit_event" ("change_key");

CREATE INDEX "audit_event_created_at" ON "audit_event" ("created_at");

CREATE INDEX "audit_event_operator" ON "audit_event" ("operator", "created_at");

CREATE INDEX "audit_event_operator_act" ON "audit_event" ("operator", "act", "created_at");

CREATE INDEX "audit_event_subject" ON "audit_event" ("subject");

CREATE TABLE "chat" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "server_id" integer NOT NULL,
  "chat_id" varchar(110) CHECK (length("chat_id") <= 110),
  "account" varchar(64) COLLATE NOCASE CHECK (length("account") <= 64),
  "role_id" bigint,
  "role_name" varchar(64) CHECK (length("role_name") <= 64),
  "channel" varchar(32) COLLATE NOCASE CHECK (length("channel") <= 32),
  "content" varchar(2000) COLLATE NOCASE CHECK (length("content") <= 2000) NOT NULL,
  "time" datetime CHECK (julianday("time") IS NOT NULL) NOT NULL,
  "reported_by" varchar(45) CHECK (length("reported_by") <= 45),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
);

CREATE INDEX "chat_account" ON "chat" ("account", "time");

CREATE UNIQUE INDEX "chat_id" ON "chat" ("server_id", "chat_id");

CREATE INDEX "chat_role" ON "chat" ("server_id", "role_id", "time");

CREATE INDEX "chat_server" ON "chat" ("server_id", "time");

CREATE INDEX "chat_time" ON "chat" ("time");

CREATE TABLE "denied_address" (
  "address" varchar(49) CHECK (length("address") <= 49) NOT NULL,
  "note" varchar(1000) COLLATE NOCASE CHECK (length("note") <= 1000) NOT NULL,
  "created_by" varchar(64) COLLATE NOCASE CHECK (length("created_by") <= 64) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "until" datetime(3) CHECK (julianday("until") IS NOT NULL) NOT NULL,
  PRIMARY KEY ("address")
);

CREATE TABLE "event_outbox" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "endpoint" varchar(32) CHECK (length("endpoint") <= 32) NOT NULL,
  "player_id" integer NOT NULL,
  "webhook_id" varchar(64) CHECK (length("webhook_id") <= 64) NOT NULL,
  "type" varchar(32) CHECK (length("type") <= 32) NOT NULL,
  "body" text NOT NULL,
  "status" varchar CHECK( "status" IN ('waiting', 'delivered', 'dead') ) NOT NULL DEFAULT ('waiting'),
  "tries" integer NOT NULL DEFAULT (0),
  "failure" varchar(200) COLLATE NOCASE CHECK (length("failure") <= 200),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "tried_at" datetime(3) CHECK ("tried_at" IS NULL OR julianday("tried_at") IS NOT NULL),
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL
);

CREATE INDEX "event_outbox_expires_at" ON "event_outbox" ("expires_at");

CREATE INDEX "event_outbox_player" ON "event_outbox" ("player_id", "endpoint", "status", "id");

CREATE INDEX "event_outbox_status" ON "event_outbox" ("status", "endpoint", "id");

CREATE TABLE "event_queue" (
  "endpoint" varchar(32) CHECK (length("endpoint") <= 32) NOT NULL,
  "player_id" integer NOT NULL,
  "due_at" datetime(3) CHECK (julianday("due_at") IS NOT NULL) NOT NULL,
  "version" integer NOT NULL DEFAULT (0),
  "switched_off_by" varchar(64) CHECK (length("switched_off_by") <= 64),
  PRIMARY KEY ("endpoint", "player_id")
);

CREATE INDEX "event_queue_due" ON "event_queue" ("endpoint", "due_at");

CREATE TABLE "game_server_call" (
  "address" varchar(45) CHECK (length("address") <= 45) NOT NULL,
  "path" varchar(64) CHECK (length("path") <= 64) NOT NULL,
  "accepted_at" datetime(3) CHECK (julianday("accepted_at") IS NOT NULL) NOT NULL,
  "clock_skew" integer,
  PRIMARY KEY ("address", "path")
);

CREATE INDEX "game_server_call_accepted_at" ON "game_server_call" ("accepted_at");

CREATE TABLE "import_chunk" (
  "last_key" blob NOT NULL,
  "after_key" blob NOT NULL,
  "checksum" varchar(64) CHECK (length("checksum") <= 64) NOT NULL,
  PRIMARY KEY ("last_key")
);

CREATE TABLE "import_finding" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "old_key" blob NOT NULL,
  "class" varchar(64) CHECK (length("class") <= 64) NOT NULL,
  "account" varchar(255) CHECK (length("account") <= 255) NOT NULL,
  "detail" varchar(500) CHECK (length("detail") <= 500) NOT NULL,
  "rule" varchar(200) CHECK (length("rule") <= 200) NOT NULL
);

CREATE INDEX "import_finding_key" ON "import_finding" ("old_key");

CREATE TABLE "import_player" (
  "old_key" blob NOT NULL,
  "player_id" integer,
  "row_sum" integer NOT NULL,
  "password_sum" integer NOT NULL,
  "email_sum" integer NOT NULL,
  "ban_sum" integer NOT NULL, "name_sum" integer NOT NULL DEFAULT (0), "link_sum" integer NOT NULL DEFAULT (0),
  PRIMARY KEY ("old_key")
);

CREATE UNIQUE INDEX "import_player_player" ON "import_player" ("player_id");

CREATE TABLE "import_state" (
  "name" varchar(32) CHECK (length("name") <= 32) NOT NULL,
  "value" text NOT NULL,
  PRIMARY KEY ("name")
);

CREATE TABLE "login_address" (
  "player_id" integer NOT NULL,
  "address" varchar(64) COLLATE NOCASE CHECK (length("address") <= 64) NOT NULL,
  "seen_at" datetime(3) CHECK (julianday("seen_at") IS NOT NULL) NOT NULL,
  PRIMARY KEY ("player_id", "address")
);

CREATE INDEX "login_address_seen_at" ON "login_address" ("seen_at");

CREATE TABLE "login_event" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "way" varchar(16) CHECK (length("way") <= 16) NOT NULL,
  "outcome" varchar(32) CHECK (length("outcome") <= 32) NOT NULL,
  "tries" integer NOT NULL DEFAULT (1),
  "player_id" integer,
  "account" varchar(64) COLLATE NOCASE CHECK (length("account") <= 64),
  "address" varchar(45) CHECK (length("address") <= 45),
  "device" varchar(128) COLLATE NOCASE CHECK (length("device") <= 128),
  "session_id" bigint,
  "request_id" varchar(64) CHECK (length("request_id") <= 64)
);

CREATE INDEX "login_event_address" ON "login_event" ("address");

CREATE INDEX "login_event_created_at" ON "login_event" ("created_at");

CREATE INDEX "login_event_player_outcome" ON "login_event" ("player_id", "outcome", "created_at");

CREATE INDEX "login_event_player_time" ON "login_event" ("player_id", "created_at");

CREATE INDEX "login_event_request" ON "login_event" ("request_id");

CREATE TABLE "mail_event" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "kind" varchar(32) CHECK (length("kind") <= 32) NOT NULL,
  "outcome" varchar(16) CHECK (length("outcome") <= 16) NOT NULL,
  "reply" integer,
  "mailbox" varchar(260) COLLATE NOCASE CHECK (length("mailbox") <= 260) NOT NULL
, "ms" integer, "player_id" integer);

CREATE INDEX "mail_event_created_at" ON "mail_event" ("created_at");

CREATE INDEX "mail_event_player_time" ON "mail_event" ("player_id", "created_at");

CREATE TABLE "mailbox_undo" (
  "player_id" integer NOT NULL,
  "version" integer NOT NULL,
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL, "email" varchar(254) COLLATE NOCASE CHECK (length("email") <= 254),
  PRIMARY KEY ("player_id", "version")
);

CREATE INDEX "mailbox_undo_expires_at" ON "mailbox_undo" ("expires_at");

CREATE TABLE "migrations" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "timestamp" bigint NOT NULL, "name" varchar NOT NULL);

CREATE TABLE "operator" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar(32) CHECK (length("name") <= 32) NOT NULL,
  "role" varchar(16) CHECK (length("role") <= 16) NOT NULL,
  "password" varchar(160) CHECK (length("password") <= 160) NOT NULL,
  "totp_secret" varchar(128) CHECK (length("totp_secret") <= 128),
  "totp_last_step" integer,
  "disabled_at" datetime(3) CHECK ("disabled_at" IS NULL OR julianday("disabled_at") IS NOT NULL),
  "unlocked_at" datetime(3) CHECK ("unlocked_at" IS NULL OR julianday("unlocked_at") IS NOT NULL),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL
);

CREATE UNIQUE INDEX "operator_name" ON "operator" ("name");

CREATE TABLE "operator_session" (
  "id" varchar(43) CHECK (length("id") <= 43) NOT NULL,
  "operator_id" integer NOT NULL,
  "address" varchar(45) COLLATE NOCASE CHECK (length("address") <= 45) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "seen_at" datetime(3) CHECK (julianday("seen_at") IS NOT NULL) NOT NULL,
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL,
  PRIMARY KEY ("id")
);

CREATE INDEX "operator_session_expires_at" ON "operator_session" ("expires_at");

CREATE INDEX "operator_session_operator_id" ON "operator_session" ("operator_id");

CREATE TABLE "player" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "account" varchar(64) COLLATE NOCASE CHECK (length("account") <= 64) NOT NULL,
  "password" varchar(64) COLLATE NOCASE CHECK (length("password") <= 64) NOT NULL,
  "email" varchar(254) COLLATE NOCASE CHECK (length("email") <= 254),
  "server_id" integer,
  "ip" varchar(45) COLLATE NOCASE CHECK (length("ip") <= 45),
  "device" varchar(64) COLLATE NOCASE CHECK (length("device") <= 64),
  "os" varchar(64) COLLATE NOCASE CHECK (length("os") <= 64),
  "browse" varchar(64) COLLATE NOCASE CHECK (length("browse") <= 64),
  "agent_id" integer,
  "ver" integer NOT NULL DEFAULT (0),
  "disabled_at" datetime(3) CHECK ("disabled_at" IS NULL OR julianday("disabled_at") IS NOT NULL),
  "created_at" datetime CHECK (julianday("created_at") IS NOT NULL) NOT NULL DEFAULT (datetime('now')),
  "entered_at" datetime(3) CHECK ("entered_at" IS NULL OR julianday("entered_at") IS NOT NULL),
  "enter_count" integer NOT NULL DEFAULT (0),
  "game_account" varchar(64) CHECK (length("game_account") <= 64),
  "game_account_folded" varchar(64) COLLATE NOCASE CHECK (length("game_account_folded") <= 64) AS (game_account) STORED,
  "new_device_mail_at" datetime(3) CHECK ("new_device_mail_at" IS NULL OR julianday("new_device_mail_at") IS NOT NULL),
  "withdraw_paused_at" datetime(3) CHECK ("withdraw_paused_at" IS NULL OR julianday("withdraw_paused_at") IS NOT NULL),
  "has_second_factor" boolean NOT NULL DEFAULT (0),
  "imported" boolean NOT NULL DEFAULT (0),
  "lock_version" integer NOT NULL DEFAULT (0),
  "closing_at" datetime(3) CHECK ("closing_at" IS NULL OR julianday("closing_at") IS NOT NULL),
  "closed_at" datetime(3) CHECK ("closed_at" IS NULL OR julianday("closed_at") IS NOT NULL),
  "exported_at" datetime(3) CHECK ("exported_at" IS NULL OR julianday("exported_at") IS NOT NULL), "language" varchar(2) CHECK (length("language") <= 2),
  CHECK (TRIM(game_account) <> ''),
  CHECK (TRIM(email) <> ''),
  CHECK (closed_at IS NULL OR (disabled_at IS NOT NULL AND email IS NULL AND password = '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!')),
  CHECK (closing_at > '2000-01-01'),
  CHECK (has_second_factor IN (0, 1))
);

CREATE UNIQUE INDEX "player_account" ON "player" ("account");

CREATE TABLE "player_alias" (
  "name" varchar(64) CHECK (length("name") <= 64) NOT NULL,
  "player_id" integer NOT NULL,
  PRIMARY KEY ("name")
);

CREATE INDEX "player_alias_player" ON "player_alias" ("player_id");

CREATE TABLE "player_ban" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "player_id" integer NOT NULL,
  "scope" varchar CHECK( "scope" IN ('all','withdraw') ) NOT NULL DEFAULT ('all'),
  "reason" varchar(200) COLLATE NOCASE CHECK (length("reason") <= 200) NOT NULL,
  "note" varchar(1000) COLLATE NOCASE CHECK (length("note") <= 1000) NOT NULL DEFAULT (''),
  "created_by" varchar(64) COLLATE NOCASE CHECK (length("created_by") <= 64) NOT NULL DEFAULT ('sql'),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "until" datetime(3) CHECK ("until" IS NULL OR julianday("until") IS NOT NULL),
  "lifted_at" datetime(3) CHECK ("lifted_at" IS NULL OR julianday("lifted_at") IS NOT NULL),
  "applied_at" datetime(3) CHECK ("applied_at" IS NULL OR julianday("applied_at") IS NOT NULL), "lift_mailed_at" datetime(3) CHECK ("lift_mailed_at" IS NULL OR julianday("lift_mailed_at") IS NOT NULL),
  CONSTRAINT "player_ban_owner" FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
  CHECK (scope IN ('all','withdraw')),
  CHECK (TRIM(reason) <> ''),
  CHECK (TRIM(created_by) <> ''),
  CHECK (until > created_at),
  CHECK (lifted_at > '2000-01-01')
);

CREATE INDEX "player_ban_applied" ON "player_ban" ("applied_at");

CREATE INDEX "player_ban_lift_mailed" ON "player_ban" ("lift_mailed_at", "lifted_at");

CREATE INDEX "player_ban_lifted" ON "player_ban" ("lifted_at", "until");

CREATE INDEX "player_ban_player" ON "player_ban" ("player_id");

CREATE TABLE "player_change" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "player_id" integer NOT NULL,
  "what" varchar(32) CHECK (length("what") <= 32) NOT NULL,
  "detail" varchar(128) COLLATE NOCASE CHECK (length("detail") <= 128),
  "address" varchar(45) CHECK (length("address") <= 45) NOT NULL,
  "request_id" varchar(64) CHECK (length("request_id") <= 64) NOT NULL
);

CREATE INDEX "player_change_created_at" ON "player_change" ("created_at");

CREATE INDEX "player_change_player_time" ON "player_change" ("player_id", "created_at");

CREATE INDEX "player_change_request" ON "player_change" ("request_id");

CREATE INDEX "player_closing_at" ON "player" ("closing_at");

CREATE UNIQUE INDEX "player_connect_identity" ON "player_connect_threeparty" ("provider", "connect_id");

CREATE TABLE "player_connect_threeparty" (
  "player_id" integer NOT NULL,
  "provider" varchar(32) CHECK (length("provider") <= 32) NOT NULL,
  "connect_id" varchar(128) CHECK (length("connect_id") <= 128) NOT NULL,
  "created_at" datetime CHECK (julianday("created_at") IS NOT NULL) NOT NULL DEFAULT (datetime('now')), "name" varchar(40) CHECK (length("name") <= 40),
  PRIMARY KEY ("player_id", "provider"),
  CONSTRAINT "player_connect_player" FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "player_created" ON "player" ("created_at", "agent_id", "entered_at");

CREATE UNIQUE INDEX "player_email" ON "player" ("email");

CREATE INDEX "player_game_folded" ON "player" ("game_account_folded");

CREATE UNIQUE INDEX "player_game_name" ON "player" ("game_account");

CREATE TABLE "player_passkey" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "player_id" integer NOT NULL,
  "credential_id" varchar(1364) CHECK (length("credential_id") <= 1364) NOT NULL,
  "public_key" varchar(2048) CHECK (length("public_key") <= 2048) NOT NULL,
  "sign_count" bigint NOT NULL DEFAULT (0),
  "transports" varchar(128) CHECK (length("transports") <= 128) NOT NULL DEFAULT (''),
  "name" varchar(32) COLLATE NOCASE CHECK (length("name") <= 32) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "used_at" datetime(3) CHECK ("used_at" IS NULL OR julianday("used_at") IS NOT NULL)
);

CREATE UNIQUE INDEX "player_passkey_credential" ON "player_passkey" ("credential_id");

CREATE INDEX "player_passkey_player" ON "player_passkey" ("player_id");

CREATE TABLE "player_recovery_code" (
  "player_id" integer NOT NULL,
  "code_hash" varchar(43) CHECK (length("code_hash") <= 43) NOT NULL,
  "used_at" datetime(3) CHECK ("used_at" IS NULL OR julianday("used_at") IS NOT NULL),
  PRIMARY KEY ("player_id", "code_hash")
);

CREATE TABLE "player_totp" (
  "player_id" integer NOT NULL,
  "secret" varchar(128) CHECK (length("secret") <= 128) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "confirmed_at" datetime(3) CHECK ("confirmed_at" IS NULL OR julianday("confirmed_at") IS NOT NULL),
  "last_step" integer NOT NULL DEFAULT (0), "session_id" bigint,
  PRIMARY KEY ("player_id")
);

CREATE TABLE "player_zone" (
  "player_id" integer NOT NULL,
  "server_id" integer NOT NULL,
  "entered_at" datetime(3) CHECK (julianday("entered_at") IS NOT NULL) NOT NULL,
  "enter_count" integer NOT NULL DEFAULT (1),
  PRIMARY KEY ("player_id", "server_id")
);

CREATE TABLE "refused_request" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "player_id" integer,
  "method" varchar(8) CHECK (length("method") <= 8) NOT NULL,
  "path" varchar(64) COLLATE NOCASE CHECK (length("path") <= 64) NOT NULL,
  "error" varchar(32) CHECK (length("error") <= 32) NOT NULL,
  "address" varchar(45) CHECK (length("address") <= 45) NOT NULL,
  "request_id" varchar(64) CHECK (length("request_id") <= 64) NOT NULL
, "reason" varchar(250), "signed_text" varchar(1000));

CREATE INDEX "refused_request_created_at" ON "refused_request" ("created_at");

CREATE INDEX "refused_request_player_time" ON "refused_request" ("player_id", "created_at");

CREATE INDEX "refused_request_request" ON "refused_request" ("request_id");

CREATE TABLE "registration_day" (
  "day" varchar(10) COLLATE NOCASE CHECK (length("day") <= 10) NOT NULL,
  "taken" integer NOT NULL,
  PRIMARY KEY ("day")
);

CREATE TABLE "reserved_name" (
  "name" varchar(64) COLLATE NOCASE CHECK (length("name") <= 64) NOT NULL,
  "reserved_at" datetime(3) CHECK (julianday("reserved_at") IS NOT NULL) NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  PRIMARY KEY ("name"),
  CHECK (TRIM(name) <> '')
);

CREATE TABLE "server" (
  "id" integer NOT NULL,
  "name" varchar(64) COLLATE NOCASE CHECK (length("name") <= 64) NOT NULL,
  "address" varchar(255) COLLATE NOCASE CHECK (length("address") <= 255) NOT NULL,
  "port" integer NOT NULL,
  "status" varchar CHECK( "status" IN ('new','normal','busy','full','maintenance','closed','scheduled') ) NOT NULL DEFAULT ('normal'),
  "sort" integer NOT NULL DEFAULT (0),
  "open_at" datetime CHECK ("open_at" IS NULL OR julianday("open_at") IS NOT NULL),
  "merged_into" integer,
  "gm_address" varchar(255) COLLATE NOCASE CHECK (length("gm_address") <= 255),
  "gm_port" integer NOT NULL DEFAULT (8080),
  "gm_path" varchar(255) COLLATE NOCASE CHECK (length("gm_path") <= 255) NOT NULL DEFAULT ('/gm'),
  "db_host" varchar(255) COLLATE NOCASE CHECK (length("db_host") <= 255),
  "db_port" integer,
  "zone_group" varchar(32) COLLATE NOCASE CHECK (length("zone_group") <= 32),
  "recommended" boolean NOT NULL DEFAULT (0),
  PRIMARY KEY ("id"),
  CHECK (TRIM(name) <> ''),
  CHECK (TRIM(address) <> ''),
  CHECK (port BETWEEN 1 AND 65535),
  CHECK (gm_port BETWEEN 1 AND 65535),
  CHECK (gm_path LIKE '/%'),
  CHECK (db_port BETWEEN 1 AND 65535),
  CHECK (status IN ('new','normal','busy','full','maintenance','closed','scheduled') AND (status <> 'scheduled' OR open_at IS NOT NULL)),
  CHECK (TRIM(gm_address) <> ''),
  CHECK (TRIM(db_host) <> ''),
  CHECK (TRIM(zone_group) <> ''),
  CHECK (recommended IN (0, 1)),
  CHECK (address NOT LIKE '%/%' AND COALESCE(gm_address, '') NOT LIKE '%/%' AND COALESCE(db_host, '') NOT LIKE '%/%'),
  CHECK (id > 0),
  CHECK (merged_into > 0 AND merged_into <> id)
);

CREATE INDEX "server_merged" ON "server" ("merged_into");

CREATE TABLE "session" (
  "player_id" integer NOT NULL,
  "id" bigint NOT NULL,
  "ver" integer NOT NULL,
  "device" varchar(64) COLLATE NOCASE CHECK (length("device") <= 64),
  "os" varchar(64) COLLATE NOCASE CHECK (length("os") <= 64),
  "browse" varchar(64) COLLATE NOCASE CHECK (length("browse") <= 64),
  "address" varchar(45) COLLATE NOCASE CHECK (length("address") <= 45),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "confirmed_at" datetime(3) CHECK (julianday("confirmed_at") IS NOT NULL) NOT NULL,
  "second_factor_at" datetime(3) CHECK ("second_factor_at" IS NULL OR julianday("second_factor_at") IS NOT NULL),
  "seen_at" datetime(3) CHECK (julianday("seen_at") IS NOT NULL) NOT NULL,
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL,
  "ended_at" datetime(3) CHECK ("ended_at" IS NULL OR julianday("ended_at") IS NOT NULL),
  "cookie_hash" varchar(43) CHECK (length("cookie_hash") <= 43),
  "cookie_salt" varchar(43) CHECK (length("cookie_salt") <= 43),
  "previous_hash" varchar(43) CHECK (length("previous_hash") <= 43),
  "rotated_at" datetime(3) CHECK ("rotated_at" IS NULL OR julianday("rotated_at") IS NOT NULL), "trust_hash" varchar(43) CHECK (length("trust_hash") <= 43), "trusted_until" datetime(3) CHECK ("trusted_until" IS NULL OR julianday("trusted_until") IS NOT NULL),
  PRIMARY KEY ("player_id", "id")
);

CREATE INDEX "session_expires_at" ON "session" ("expires_at");

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE "used_once" (
  "hash" varchar(43) CHECK (length("hash") <= 43) NOT NULL,
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL,
  PRIMARY KEY ("hash")
);

CREATE INDEX "used_once_expires_at" ON "used_once" ("expires_at");

CREATE TABLE "verify" (
  "email" varchar(254) COLLATE NOCASE CHECK (length("email") <= 254) NOT NULL,
  "code" varchar(64) COLLATE NOCASE CHECK (length("code") <= 64) NOT NULL,
  "asked_by" varchar(64) CHECK (length("asked_by") <= 64) NOT NULL DEFAULT (''),
  "tries" integer NOT NULL,
  "tries_of_others" integer NOT NULL DEFAULT (0),
  "expires_at" datetime(3) CHECK (julianday("expires_at") IS NOT NULL) NOT NULL,
  "used_at" datetime(3) CHECK ("used_at" IS NULL OR julianday("used_at") IS NOT NULL),
  PRIMARY KEY ("email")
);

CREATE INDEX "verify_expires_at" ON "verify" ("expires_at");

CREATE TABLE "withdraw" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "player_id" integer NOT NULL,
  "server_id" integer NOT NULL,
  "role_server_id" integer NOT NULL,
  "role_id" bigint NOT NULL,
  "role_name" varchar(64) COLLATE NOCASE CHECK (length("role_name") <= 64) NOT NULL,
  "amount" bigint NOT NULL,
  "balance_before" bigint,
  "status" varchar CHECK( "status" IN ('created','sending','succeeded','refused','failed','unknown') ) NOT NULL,
  "reason" varchar(64) COLLATE NOCASE CHECK (length("reason") <= 64),
  "idempotency_key" varchar(64) CHECK (length("idempotency_key") <= 64),
  "request_id" varchar(64) CHECK (length("request_id") <= 64),
  "order_no" varchar(64) CHECK (length("order_no") <= 64),
  "gm_host" varchar(255) CHECK (length("gm_host") <= 255),
  "gm_port" integer,
  "gm_path" varchar(255) CHECK (length("gm_path") <= 255),
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "sent_at" datetime(3) CHECK ("sent_at" IS NULL OR julianday("sent_at") IS NOT NULL),
  "settled_at" datetime(3) CHECK ("settled_at" IS NULL OR julianday("settled_at") IS NOT NULL),
  "asks" integer NOT NULL DEFAULT (0),
  "asked_at" datetime(3) CHECK ("asked_at" IS NULL OR julianday("asked_at") IS NOT NULL),
  "mailed_at" datetime(3) CHECK ("mailed_at" IS NULL OR julianday("mailed_at") IS NOT NULL),
  "is_open" integer AS (CASE WHEN status NOT IN ('succeeded', 'refused', 'failed') THEN 1 END) STORED, "address" varchar(45) CHECK (length("address") <= 45), "session_id" bigint,
  CHECK (amount > 0),
  CHECK (status <> 'created' OR order_no IS NULL),
  CHECK (status NOT IN ('sending', 'unknown', 'succeeded') OR order_no IS NOT NULL),
  CHECK (status IN ('created','sending','succeeded','refused','failed','unknown')),
  CHECK (reason <> '' AND idempotency_key <> '' AND order_no <> '' AND gm_host <> '' AND gm_path <> '')
);

CREATE INDEX "withdraw_created_at" ON "withdraw" ("created_at");

CREATE TABLE "withdraw_event" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "withdraw_id" integer NOT NULL,
  "from_status" varchar CHECK( "from_status" IN ('created','sending','succeeded','refused','failed','unknown') ),
  "to_status" varchar CHECK( "to_status" IN ('created','sending','succeeded','refused','failed','unknown') ) NOT NULL,
  "cause" varchar CHECK( "cause" IN ('request','balance','gm','sweeper','gm_query','person','sql') ) NOT NULL,
  "evidence" varchar(1000) COLLATE NOCASE CHECK (length("evidence") <= 1000) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL
);

CREATE INDEX "withdraw_event_withdraw" ON "withdraw_event" ("withdraw_id");

CREATE UNIQUE INDEX "withdraw_key" ON "withdraw" ("player_id", "idempotency_key");

CREATE UNIQUE INDEX "withdraw_open" ON "withdraw" ("role_server_id", "role_id", "is_open");

CREATE UNIQUE INDEX "withdraw_order" ON "withdraw" ("order_no");

CREATE TABLE "withdraw_orphan" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "order_no" varchar(64) CHECK (length("order_no") <= 64) NOT NULL,
  "outcome" varchar(16) COLLATE NOCASE CHECK (length("outcome") <= 16) NOT NULL,
  "evidence" varchar(1000) COLLATE NOCASE CHECK (length("evidence") <= 1000) NOT NULL,
  "withdraw_id" integer NOT NULL,
  "player_id" integer NOT NULL,
  "server_id" integer NOT NULL,
  "role_server_id" integer NOT NULL,
  "role_id" bigint NOT NULL,
  "role_name" varchar(64) COLLATE NOCASE CHECK (length("role_name") <= 64) NOT NULL,
  "amount" bigint NOT NULL,
  "balance_before" bigint,
  "idempotency_key" varchar(64) CHECK (length("idempotency_key") <= 64),
  "requested_at" datetime(3) CHECK (julianday("requested_at") IS NOT NULL) NOT NULL,
  "sent_at" datetime(3) CHECK (julianday("sent_at") IS NOT NULL) NOT NULL,
  "gm_host" varchar(255) COLLATE NOCASE CHECK (length("gm_host") <= 255) NOT NULL,
  "gm_port" integer NOT NULL,
  "gm_path" varchar(255) COLLATE NOCASE CHECK (length("gm_path") <= 255) NOT NULL,
  "created_at" datetime(3) CHECK (julianday("created_at") IS NOT NULL) NOT NULL,
  "handled_at" datetime(3) CHECK ("handled_at" IS NULL OR julianday("handled_at") IS NOT NULL)
);

CREATE UNIQUE INDEX "withdraw_orphan_order" ON "withdraw_orphan" ("order_no");

CREATE INDEX "withdraw_player" ON "withdraw" ("player_id", "created_at", "id", "status", "amount");

CREATE INDEX "withdraw_request" ON "withdraw" ("request_id");

CREATE INDEX "withdraw_role_name" ON "withdraw" ("role_name");

CREATE INDEX "withdraw_server" ON "withdraw" ("role_server_id", "created_at");

CREATE INDEX "withdraw_server_status" ON "withdraw" ("role_server_id", "status", "created_at");

CREATE INDEX "withdraw_settled_at" ON "withdraw" ("settled_at");

CREATE INDEX "withdraw_status" ON "withdraw" ("status", "created_at");
