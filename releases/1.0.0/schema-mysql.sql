-- 9.7.4-2

CREATE TABLE `agent` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the agent_id in a promoter''s links',
  `name` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'what operators call the promoter',
  `active` tinyint NOT NULL DEFAULT '1' COMMENT '0: new players are no longer counted for this promoter',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: promoters';

CREATE TABLE `approval_request` (
  `kind` enum('withdrawal','server') COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'what shall be settled, or changed',
  `target_id` int NOT NULL COMMENT 'id of that withdrawal or server',
  `order_no` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the withdrawal; after a failover its id alone may be another''s',
  `proposal` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'status that the withdrawal shall get, or columns of the server as JSON',
  `operator` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who asks for it; another one has to agree',
  `note` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'why, in the operator''s words',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (`kind`,`target_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: what one operator wants done at the desk and a second has not confirmed yet';

CREATE TABLE `audit_event` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; of an SQL edit: when the service saw it',
  `operator` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'who did it; sql: an edit by SQL',
  `act` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as player.disable',
  `subject` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as player 42',
  `state_before` text COLLATE utf8mb4_unicode_ci COMMENT 'JSON',
  `state_after` text COLLATE utf8mb4_unicode_ci COMMENT 'JSON',
  `note` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'why, in the operator''s words',
  `change_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'of an SQL edit: several instances see it, the key lets one of them add the row',
  PRIMARY KEY (`id`),
  UNIQUE KEY `audit_event_change` (`change_key`),
  KEY `audit_event_subject` (`subject`),
  KEY `audit_event_created_at` (`created_at`),
  KEY `audit_event_operator` (`operator`,`created_at`),
  KEY `audit_event_act` (`act`,`created_at`),
  KEY `audit_event_operator_act` (`operator`,`act`,`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: what operators did, SQL edits of servers, and changes of settings; kept for ever';

CREATE TABLE `chat` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the reports',
  `server_id` int NOT NULL COMMENT 'server it was said in',
  `chat_id` varchar(110) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'the game''s own id of it, unique within the server; NULL where the game gave none; from an address that is no game server: that address and a space before it',
  `account` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'account of the speaker',
  `role_id` bigint DEFAULT NULL COMMENT 'role of the speaker; ids are the server''s own',
  `role_name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL COMMENT 'name of the role at the time',
  `channel` varchar(32) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'where in the game, in the game''s words',
  `content` varchar(2000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'as it was sent',
  `time` datetime NOT NULL COMMENT 'UTC; when it was said, by the game''s clock',
  `reported_by` varchar(45) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'address that reported it',
  `created_at` datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) COMMENT 'UTC; when it was reported; chat.retention_days counts from here',
  PRIMARY KEY (`id`),
  UNIQUE KEY `chat_id` (`server_id`,`chat_id`),
  KEY `chat_server` (`server_id`,`time`),
  KEY `chat_account` (`account`,`time`),
  KEY `chat_role` (`server_id`,`role_id`,`time`),
  KEY `chat_time` (`time`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: what was said in the games, for moderators';

CREATE TABLE `denied_address` (
  `address` varchar(49) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'an IPv4 address or an IPv6 network, such as 203.0.113.7 or 2001:db8:0:1::/64',
  `note` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'why, in the operator''s words',
  `created_by` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'who blocked it',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  `until` datetime(3) NOT NULL COMMENT 'UTC; from then on the address is let in again',
  PRIMARY KEY (`address`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: addresses that operators blocked at the desk, in addition to deny_ip of the settings';

CREATE TABLE `event_outbox` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order in which a player''s events are sent',
  `endpoint` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its name in events of the settings; empty: a command could not read the settings, and an instance fills it in',
  `player_id` int NOT NULL COMMENT 'the player whom it is about',
  `webhook_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'the same for every endpoint and every try, so that receivers can drop repeats',
  `type` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as player.banned',
  `body` text COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'the JSON text that is sent',
  `status` enum('waiting','delivered','dead') COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'waiting' COMMENT 'dead: given up after the last try; gatehouse events resend sends it again',
  `tries` int NOT NULL DEFAULT '0' COMMENT 'failed deliveries',
  `failure` varchar(200) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'why the last delivery failed',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  `tried_at` datetime(3) DEFAULT NULL COMMENT 'UTC; the last delivery',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; then the row is deleted',
  PRIMARY KEY (`id`),
  KEY `event_outbox_player` (`player_id`,`endpoint`,`status`,`id`),
  KEY `event_outbox_status` (`status`,`endpoint`,`id`),
  KEY `event_outbox_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: events for the endpoints in the settings, a row for each event and endpoint';

CREATE TABLE `event_queue` (
  `endpoint` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as in event_outbox',
  `player_id` int NOT NULL COMMENT 'a player with waiting events; 0: the endpoint itself, which answered 410',
  `due_at` datetime(3) NOT NULL COMMENT 'UTC; when the player''s first waiting event is sent. An instance that sends it sets it a minute ahead',
  `version` int NOT NULL DEFAULT '0' COMMENT 'grows with each new event',
  `switched_off_by` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'for player 0: digest of the settings under which the endpoint answered 410; others switch it on again',
  PRIMARY KEY (`endpoint`,`player_id`),
  KEY `event_queue_due` (`endpoint`,`due_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: whose events wait for which endpoint, and until when';

CREATE TABLE `game_server_call` (
  `address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the game server, in game_server_ips',
  `path` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as /api/link',
  `accepted_at` datetime(3) NOT NULL COMMENT 'UTC; when its last accepted request to this path arrived, up to 10 s late',
  `clock_skew` int DEFAULT NULL COMMENT 'how many seconds its clock was ahead of the database''s; NULL: the request was not signed',
  PRIMARY KEY (`address`,`path`),
  KEY `game_server_call_accepted_at` (`accepted_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: last accepted requests of game servers; deleted after login_events.retention_days of the settings';

CREATE TABLE `import_chunk` (
  `last_key` varbinary(192) NOT NULL COMMENT 'the last old row of the chunk',
  `after_key` varbinary(192) NOT NULL COMMENT 'the old row before its first one',
  `checksum` varchar(64) NOT NULL COMMENT 'of its old rows as they were read: number, XOR, sum',
  PRIMARY KEY (`last_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='Gatehouse: old rows that gatehouse import has read';

CREATE TABLE `import_finding` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'in the order of run.csv',
  `old_key` varbinary(192) NOT NULL COMMENT 'as in import_player; empty: no player',
  `class` varchar(64) COLLATE utf8mb4_bin NOT NULL COMMENT 'what is the matter',
  `account` varchar(255) COLLATE utf8mb4_bin NOT NULL COMMENT 'name in the old table',
  `detail` varchar(500) COLLATE utf8mb4_bin NOT NULL COMMENT 'more about it',
  `rule` varchar(200) COLLATE utf8mb4_bin NOT NULL COMMENT 'what was done',
  PRIMARY KEY (`id`),
  KEY `import_finding_key` (`old_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='Gatehouse: what gatehouse import reports in run.csv';

CREATE TABLE `import_player` (
  `old_key` varbinary(192) NOT NULL COMMENT 'id in the old table, 9 bytes; where that has none, the bytes of the name',
  `player_id` int DEFAULT NULL COMMENT 'NULL: could not be moved',
  `row_sum` int unsigned NOT NULL COMMENT 'CRC32 of the old row as it was read',
  `password_sum` int unsigned NOT NULL COMMENT 'CRC32 of the password as it was stored here; another one now: the player changed it',
  `email_sum` int unsigned NOT NULL COMMENT 'the same of the mailbox',
  `ban_sum` int unsigned NOT NULL COMMENT 'CRC32 of the ban in player_ban; 0: none',
  `name_sum` int unsigned NOT NULL DEFAULT '0' COMMENT 'CRC32 of the old name as it was read; 0: imported by an earlier version',
  `link_sum` int unsigned NOT NULL DEFAULT '0' COMMENT 'CRC32 of the identity that was linked; 0: none',
  PRIMARY KEY (`old_key`),
  UNIQUE KEY `import_player_player` (`player_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='Gatehouse: who was moved over from the previous generation, for gatehouse import';

CREATE TABLE `import_state` (
  `name` varchar(32) COLLATE utf8mb4_bin NOT NULL COMMENT 'what is remembered',
  `value` text COLLATE utf8mb4_bin NOT NULL COMMENT 'JSON, or text',
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='Gatehouse: what gatehouse import remembers: its source, checksums of small tables';

CREATE TABLE `login_address` (
  `player_id` int NOT NULL COMMENT 'the account',
  `address` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'an IPv4 address, or the /64 of an IPv6 one',
  `seen_at` datetime(3) NOT NULL COMMENT 'UTC; last login, exact to a day',
  PRIMARY KEY (`player_id`,`address`),
  KEY `login_address_seen_at` (`seen_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: where an account was logged in from in the last 30 days; strangers who fail on it do not lock these out';

CREATE TABLE `login_event` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; of the last one where there are several tries',
  `way` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'login, register, reset, forum or password (changed while signed in); a second step: totp, passkey or recovery_code',
  `outcome` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'ok, or the name of the error',
  `tries` int NOT NULL DEFAULT '1' COMMENT 'a failure that repeats within a minute is counted here and gets no row of its own',
  `player_id` int DEFAULT NULL COMMENT 'NULL: no player has that name',
  `account` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'the name as it was typed, up to 64 characters; NULL where nobody has it: it may be a password',
  `address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'NULL: several, in a flood',
  `device` varchar(128) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'what the form said, else the browser''s User-Agent',
  `session_id` bigint DEFAULT NULL COMMENT 'the session that began; NULL where none did',
  `request_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'as in the log lines of the request',
  PRIMARY KEY (`id`),
  KEY `login_event_address` (`address`),
  KEY `login_event_created_at` (`created_at`),
  KEY `login_event_player_time` (`player_id`,`created_at`),
  KEY `login_event_request` (`request_id`),
  KEY `login_event_player_outcome` (`player_id`,`outcome`,`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: sign-ins and failed ones; deleted after login_events.retention_days of the settings';

CREATE TABLE `mail_event` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; when the outcome was known',
  `player_id` int DEFAULT NULL COMMENT 'whose mail it was; NULL: nobody had an account with this mailbox',
  `kind` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its folder of templates, such as code or reset',
  `outcome` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'sent, uncertain: it may have arrived, failed, or held_back by verify.per_minute_all',
  `reply` int DEFAULT NULL COMMENT 'code with which the mail server refused it, such as 451; NULL: it took it, or did not answer',
  `mailbox` varchar(260) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'only a part of the address',
  `ms` int DEFAULT NULL COMMENT 'milliseconds until the mail server took or refused it; NULL: it was held back, or is older than this column',
  PRIMARY KEY (`id`),
  KEY `mail_event_player_time` (`player_id`,`created_at`),
  KEY `mail_event_created_at` (`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: mails to players, without their text; deleted after login_events.retention_days of the settings';

CREATE TABLE `mailbox_undo` (
  `player_id` int NOT NULL COMMENT 'the account',
  `version` int NOT NULL COMMENT 'the player''s lock_version at the change; later changes have a larger one',
  `email` varchar(254) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'the mailbox before, which the link in its mail restores; NULL: there was none',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; 72 hours after the change',
  PRIMARY KEY (`player_id`,`version`),
  KEY `mailbox_undo_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: changes of mailboxes that can be undone; a used link has no row';

CREATE TABLE `migration_claim` (
  `id` int NOT NULL COMMENT 'always 1',
  `holder` varchar(36) NOT NULL COMMENT 'the process that migrates; empty: none',
  `valid_until` datetime(3) NOT NULL COMMENT 'UTC; from then on another may, since the holder is dead',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='lets one instance migrate at a time';

CREATE TABLE `migrations` (
  `id` int NOT NULL AUTO_INCREMENT,
  `timestamp` bigint NOT NULL,
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

CREATE TABLE `operator` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the operator, in operator_session',
  `name` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'for the sign-in, and in audit_event',
  `role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'support, moderator, treasury or admin; any other may do nothing',
  `password` varchar(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'scrypt, with its salt; gatehouse operator reset makes a new one',
  `totp_secret` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'encrypted; NULL: the next sign-in sets an own password and an app',
  `totp_last_step` int DEFAULT NULL COMMENT 'time step of the last used code; that code and older ones are refused',
  `disabled_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set: no sign-in and no session works',
  `unlocked_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last reset or enable: failed sign-ins from before no longer count',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (`id`),
  UNIQUE KEY `operator_name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: who may use the desk; changed by gatehouse operator';

CREATE TABLE `operator_session` (
  `id` varchar(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'SHA-256 of the cookie, in base64url',
  `operator_id` int NOT NULL COMMENT 'who signed in',
  `address` varchar(45) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'where from',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; the sign-in',
  `seen_at` datetime(3) NOT NULL COMMENT 'UTC; last use, exact to a minute; 30 minutes later it is over',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; over, used or not',
  PRIMARY KEY (`id`),
  KEY `operator_session_operator_id` (`operator_id`),
  KEY `operator_session_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: sign-ins at the desk; deleted when they end';

CREATE TABLE `player` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the player, in every other table',
  `account` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'unique without regard to case',
  `password` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'md5(password + PASSWORD_KEY) in lower-case hex',
  `email` varchar(254) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'lower case; NULL where there is none',
  `server_id` int DEFAULT NULL COMMENT 'server chosen last',
  `ip` varchar(45) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'address seen last',
  `device` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'device at registration',
  `os` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'operating system at registration',
  `browse` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'browser at registration',
  `agent_id` int DEFAULT NULL COMMENT 'promoter',
  `ver` int NOT NULL DEFAULT '0' COMMENT 'grows with each password reset; ends every older JWT',
  `disabled_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set: no login, and no token of the account works',
  `created_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; the registration',
  `entered_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last time in a game',
  `enter_count` int NOT NULL DEFAULT '0' COMMENT 'how often the player has entered a game',
  `game_account` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin DEFAULT NULL COMMENT 'exact name in the game''s tables, compared byte for byte; NULL: account, until it is first needed',
  `game_account_folded` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci GENERATED ALWAYS AS (`game_account`) STORED COMMENT 'game_account without regard to case; nobody can register it',
  `new_device_mail_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last mail about a sign-in from a new address, at most one an hour',
  `withdraw_paused_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last password reset by mail, new mailbox or removed second factor: no withdrawal for withdraw.pause_hours; NULL: no pause',
  `has_second_factor` tinyint NOT NULL DEFAULT '0' COMMENT '1: has a confirmed authenticator app or a passkey; kept by the service, see gatehouse player reset-second-factor',
  `imported` tinyint NOT NULL DEFAULT '0' COMMENT '1: imported and not signed in yet; the password may be plain md5 or of GBK bytes until then',
  `lock_version` int NOT NULL DEFAULT '0' COMMENT 'grows with each lock on the account: nodes of a cluster compare changes, not locks',
  `closing_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the account is closed and its personal data removed; past: within a minute; set NULL before then to keep it',
  `closed_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when it was closed; nobody can sign in any more, and the names stay taken; never set it yourself',
  `exported_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the owner last downloaded the data, once a day',
  `language` varchar(2) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'zh or en, of the registration or the last entry to a server, for mails; NULL: mails in both',
  PRIMARY KEY (`id`),
  UNIQUE KEY `player_account` (`account`),
  UNIQUE KEY `player_email` (`email`),
  UNIQUE KEY `player_game_name` (`game_account`),
  KEY `player_game_folded` (`game_account_folded`),
  KEY `player_closing_at` (`closing_at`),
  KEY `player_created` (`created_at`,`agent_id`,`entered_at`),
  CONSTRAINT `player_closed` CHECK (((`closed_at` is null) or ((`disabled_at` is not null) and (`email` is null) and (`password` = _utf8mb4'!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!')))),
  CONSTRAINT `player_closing` CHECK ((`closing_at` > _utf8mb4'2000-01-01')),
  CONSTRAINT `player_game_account` CHECK ((trim(`game_account`) <> _utf8mb4'')),
  CONSTRAINT `player_second_factor` CHECK ((`has_second_factor` in (0,1))),
  CONSTRAINT `player_with_email` CHECK ((trim(`email`) <> _utf8mb4''))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: accounts';

CREATE TABLE `player_alias` (
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL COMMENT 'an old name, compared byte for byte; never the account of anybody',
  `player_id` int NOT NULL COMMENT 'the player who logs in with the name',
  PRIMARY KEY (`name`),
  KEY `player_alias_player` (`player_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='Gatehouse: old names of players who were renamed when they were moved over; they go on logging in with them';

CREATE TABLE `player_ban` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the ban',
  `player_id` int NOT NULL COMMENT 'the banned player',
  `scope` enum('all','withdraw') COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'all' COMMENT 'all: no sign-in, and no token of the account works; withdraw: no withdrawals',
  `reason` varchar(200) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'shown and mailed to the player',
  `note` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT '' COMMENT 'for operators alone',
  `created_by` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'sql' COMMENT 'the operator',
  `created_at` datetime(3) NOT NULL DEFAULT (utc_timestamp(3)) COMMENT 'UTC',
  `until` datetime(3) DEFAULT NULL COMMENT 'UTC; the ban ends by itself then; NULL: for good',
  `lifted_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set it to lift the ban; NULL: not lifted',
  `applied_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the service ended the sessions and mailed the owner; set it yourself and it does neither',
  `lift_mailed_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the service mailed the owner that the ban was lifted; set it with lifted_at and it does not',
  PRIMARY KEY (`id`),
  KEY `player_ban_player` (`player_id`),
  KEY `player_ban_lifted` (`lifted_at`,`until`),
  KEY `player_ban_applied` (`applied_at`),
  KEY `player_ban_lift_mailed` (`lift_mailed_at`,`lifted_at`),
  CONSTRAINT `player_ban_owner` FOREIGN KEY (`player_id`) REFERENCES `player` (`id`),
  CONSTRAINT `player_ban_created_by` CHECK ((trim(`created_by`) <> _utf8mb4'')),
  CONSTRAINT `player_ban_lifted_at` CHECK ((`lifted_at` > _utf8mb4'2000-01-01')),
  CONSTRAINT `player_ban_reason` CHECK ((trim(`reason`) <> _utf8mb4'')),
  CONSTRAINT `player_ban_scope` CHECK ((`scope` in (_utf8mb4'all',_utf8mb4'withdraw'))),
  CONSTRAINT `player_ban_until` CHECK ((`until` > `created_at`))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: bans; in force while lifted_at is NULL and until is NULL or ahead, on every instance at once';

CREATE TABLE `player_change` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the changes',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  `player_id` int NOT NULL COMMENT 'the account, whose owner or thief made the change',
  `what` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as password, email, totp_removed, linked or closing',
  `detail` varchar(128) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'a part of the new mailbox, the identity, or the name of the passkey',
  `address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the client',
  `request_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as in the answer and in the log lines of the request',
  PRIMARY KEY (`id`),
  KEY `player_change_created_at` (`created_at`),
  KEY `player_change_player_time` (`player_id`,`created_at`),
  KEY `player_change_request` (`request_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: what players changed in their accounts; deleted after login_events.retention_days of the settings';

CREATE TABLE `player_connect_threeparty` (
  `player_id` int NOT NULL COMMENT 'the local account; delete its links before it',
  `provider` varchar(32) COLLATE utf8mb4_bin NOT NULL COMMENT 'who gave the identity, such as forum',
  `connect_id` varchar(128) COLLATE utf8mb4_bin NOT NULL COMMENT 'the identity there; compared exactly',
  `created_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; when it was linked',
  `name` varchar(40) COLLATE utf8mb4_bin DEFAULT NULL COMMENT 'name there at the last sign-in through it, only for display; NULL: unknown',
  PRIMARY KEY (`player_id`,`provider`),
  UNIQUE KEY `player_connect_identity` (`provider`,`connect_id`),
  CONSTRAINT `player_connect_player` FOREIGN KEY (`player_id`) REFERENCES `player` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='Gatehouse: third-party identities of accounts';

CREATE TABLE `player_passkey` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the passkey',
  `player_id` int NOT NULL COMMENT 'the account',
  `credential_id` varchar(1364) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'WebAuthn credential id, in base64url',
  `public_key` varchar(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'COSE public key, in base64url',
  `sign_count` bigint NOT NULL DEFAULT '0' COMMENT 'signature counter; a lower one shows a copied authenticator',
  `transports` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' COMMENT 'hints for the browser, separated by commas',
  `name` varchar(32) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'what the player calls it',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  `used_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last use',
  PRIMARY KEY (`id`),
  UNIQUE KEY `player_passkey_credential` (`credential_id`),
  KEY `player_passkey_player` (`player_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: passkeys of players';

CREATE TABLE `player_recovery_code` (
  `player_id` int NOT NULL COMMENT 'the account',
  `code_hash` varchar(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'hash of the code, with a key from PASSWORD_KEY',
  `used_at` datetime(3) DEFAULT NULL COMMENT 'UTC; NULL: not used yet',
  PRIMARY KEY (`player_id`,`code_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: recovery codes for the second step of a sign-in';

CREATE TABLE `player_totp` (
  `player_id` int NOT NULL COMMENT 'the account',
  `secret` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'secret of the app, encrypted with a key from JWT_SECRET',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; when the secret was shown',
  `confirmed_at` datetime(3) DEFAULT NULL COMMENT 'UTC; first right code; NULL: pending, does not count yet, and is void after ten minutes',
  `last_step` int NOT NULL DEFAULT '0' COMMENT 'time step of the last accepted code: each is accepted once',
  `session_id` bigint DEFAULT NULL COMMENT 'the session that set it up; NULL: from before this column, or a token without a session',
  PRIMARY KEY (`player_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: authenticator apps of players';

CREATE TABLE `player_zone` (
  `player_id` int NOT NULL COMMENT 'the account',
  `server_id` int NOT NULL COMMENT 'a server that it has entered',
  `entered_at` datetime(3) NOT NULL COMMENT 'UTC; the last time',
  `enter_count` int NOT NULL DEFAULT '1' COMMENT 'how often',
  PRIMARY KEY (`player_id`,`server_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: which servers a player has entered; a server that was never entered has no row';

CREATE TABLE `refused_request` (
  `id` bigint NOT NULL AUTO_INCREMENT COMMENT 'in the order of the requests',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; when it was answered',
  `player_id` int DEFAULT NULL COMMENT 'who sent it; NULL: for a code, by somebody who was not signed in',
  `method` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'such as POST',
  `path` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'without the query',
  `error` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'name of the error',
  `address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'of the client',
  `request_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as in the answer and in the log lines of the request',
  `reason` varchar(250) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'why a game server''s request was refused; NULL: of a player',
  `signed_text` varchar(1000) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'what a game server should have signed, without the secret',
  PRIMARY KEY (`id`),
  KEY `refused_request_created_at` (`created_at`),
  KEY `refused_request_player_time` (`player_id`,`created_at`),
  KEY `refused_request_request` (`request_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: refused requests other than sign-ins; deleted after login_events.retention_days of the settings';

CREATE TABLE `registration_day` (
  `day` varchar(10) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'such as 2026-11-15, in the timezone of the settings',
  `taken` int NOT NULL COMMENT 'registrations of that day, held against day_max_reg',
  PRIMARY KEY (`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: one row a day, so that the cap needs no counting of players';

CREATE TABLE `reserved_name` (
  `name` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'owns roles in the game although no player has it; compared without regard to case',
  `reserved_at` datetime(3) NOT NULL DEFAULT (utc_timestamp(3)) COMMENT 'UTC',
  PRIMARY KEY (`name`),
  CONSTRAINT `reserved_name_name` CHECK ((trim(`name`) <> _utf8mb4''))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: names that nobody can register, because strangers would get the roles; filled by gatehouse import and gatehouse check';

CREATE TABLE `server` (
  `id` int unsigned NOT NULL COMMENT 'the server; its game database is mir_actor_s{id} unless the settings say otherwise',
  `name` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'what players see',
  `address` varchar(255) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'host name or address the game client connects to',
  `port` int NOT NULL COMMENT 'port the game client connects to, 1-65535',
  `status` enum('new','normal','busy','full','maintenance','closed','scheduled') COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'normal' COMMENT 'full: nobody new registers into it; maintenance: listed, but nobody enters; closed: not listed at all; scheduled: closed until open_at, then new',
  `sort` int NOT NULL DEFAULT '0' COMMENT 'place in the list, smallest first, then by id',
  `open_at` datetime DEFAULT NULL COMMENT 'UTC; listed before this time, but cannot be entered yet, or hidden if scheduled; NULL: open',
  `merged_into` int DEFAULT NULL COMMENT 'id of the server whose game database this one now uses; NULL: its own',
  `gm_address` varchar(255) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'host of the GM interface; NULL: the same as address',
  `gm_port` int NOT NULL DEFAULT '8080' COMMENT 'port of the GM interface, 1-65535',
  `gm_path` varchar(255) COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT '/gm' COMMENT 'path of the GM interface, starts with /',
  `db_host` varchar(255) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'host of the game database; NULL: that of GAME_DATABASE_URL',
  `db_port` int DEFAULT NULL COMMENT 'port of the game database; NULL: that of GAME_DATABASE_URL',
  `zone_group` varchar(32) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'the tab under which players find the server; NULL: none, servers without one are shown in twenties',
  `recommended` tinyint NOT NULL DEFAULT '0' COMMENT '1: offered to players first; with none, the newest open server is',
  PRIMARY KEY (`id`),
  KEY `server_merged` (`merged_into`),
  CONSTRAINT `server_address` CHECK ((trim(`address`) <> _utf8mb4'')),
  CONSTRAINT `server_db_host` CHECK ((trim(`db_host`) <> _utf8mb4'')),
  CONSTRAINT `server_db_port` CHECK ((`db_port` between 1 and 65535)),
  CONSTRAINT `server_gm_address` CHECK ((trim(`gm_address`) <> _utf8mb4'')),
  CONSTRAINT `server_gm_path` CHECK ((`gm_path` like _utf8mb4'/%')),
  CONSTRAINT `server_gm_port` CHECK ((`gm_port` between 1 and 65535)),
  CONSTRAINT `server_id` CHECK ((`id` > 0)),
  CONSTRAINT `server_merged_into` CHECK (((`merged_into` > 0) and (`merged_into` <> `id`))),
  CONSTRAINT `server_name` CHECK ((trim(`name`) <> _utf8mb4'')),
  CONSTRAINT `server_plain_hosts` CHECK (((not((`address` like _utf8mb4'%/%'))) and (not((coalesce(`gm_address`,_utf8mb4'') like _utf8mb4'%/%'))) and (not((coalesce(`db_host`,_utf8mb4'') like _utf8mb4'%/%'))))),
  CONSTRAINT `server_port` CHECK ((`port` between 1 and 65535)),
  CONSTRAINT `server_recommended` CHECK ((`recommended` in (0,1))),
  CONSTRAINT `server_status` CHECK (((`status` in (_utf8mb4'new',_utf8mb4'normal',_utf8mb4'busy',_utf8mb4'full',_utf8mb4'maintenance',_utf8mb4'closed',_utf8mb4'scheduled')) and ((`status` <> _utf8mb4'scheduled') or (`open_at` is not null)))),
  CONSTRAINT `server_zone_group` CHECK ((trim(`zone_group`) <> _utf8mb4''))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: game servers; an edit shows on every instance within 2 seconds';

CREATE TABLE `session` (
  `player_id` int NOT NULL COMMENT 'the account',
  `id` bigint NOT NULL COMMENT 'random; the sid of its tokens',
  `ver` int NOT NULL COMMENT 'the player''s ver; the session is over once the player has another',
  `device` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'device of the sign-in',
  `os` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'operating system of the sign-in',
  `browse` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'browser of the sign-in',
  `address` varchar(45) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'where it signed in or was refreshed last',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; the sign-in',
  `confirmed_at` datetime(3) NOT NULL COMMENT 'UTC; last time the player proved to be the owner: the sign-in, or the password; 1970: the cookie was used since',
  `second_factor_at` datetime(3) DEFAULT NULL COMMENT 'UTC; last time with a second factor, which alone counts once the account has one; NULL: never, or the cookie was used since',
  `seen_at` datetime(3) NOT NULL COMMENT 'UTC; last use, exact to ten minutes',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; afterwards no token of it works',
  `ended_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set: no token and no cookie of it works',
  `cookie_hash` varchar(43) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'hash of the stay-signed-in cookie; NULL where there is none',
  `cookie_salt` varchar(43) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'the cookie was derived from this and the cookie before',
  `previous_hash` varchar(43) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'hash of the cookie before, which works for 30 seconds',
  `rotated_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the cookie took the place of the one before',
  `trust_hash` varchar(43) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'hash of the cookie with which sign-ins from this browser skip the second step; NULL where there is none',
  `trusted_until` datetime(3) DEFAULT NULL COMMENT 'UTC; until when that cookie works, unless the session ends before',
  PRIMARY KEY (`player_id`,`id`),
  KEY `session_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: sign-ins; kept for a day after they expire';

CREATE TABLE `used_once` (
  `hash` varchar(43) COLLATE utf8mb4_bin NOT NULL COMMENT 'SHA-256 of the state, ticket or signature, in base64url',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; from then on it is too old anyway, and the service removes the row',
  PRIMARY KEY (`hash`),
  KEY `used_once_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='Gatehouse: states and tickets of forum logins and signatures of callbacks that were used';

CREATE TABLE `verify` (
  `email` varchar(254) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'lower case; a new code takes the place of the old one',
  `code` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'keyed hash; the code itself is nowhere but in the mail',
  `asked_by` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' COMMENT 'address that asked for the code, IPv6 as its /64',
  `tries` int NOT NULL COMMENT 'wrong tries of asked_by; at 5 the code is void',
  `tries_of_others` int NOT NULL DEFAULT '0' COMMENT 'wrong tries of all other addresses; at 5 the code is void for them',
  `expires_at` datetime(3) NOT NULL COMMENT 'UTC; 60 seconds after the mail server took the message',
  `used_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set: used up',
  PRIMARY KEY (`email`),
  KEY `verify_expires_at` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: e-mailed codes; the service removes old rows';

CREATE TABLE `withdraw` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'the withdrawal, for players and operators',
  `player_id` int NOT NULL COMMENT 'the account',
  `server_id` int NOT NULL COMMENT 'server the player chose',
  `role_server_id` int NOT NULL COMMENT 'server whose game database holds the role: another where server_id was merged',
  `role_id` bigint NOT NULL COMMENT 'role in the game; ids are the server''s own',
  `role_name` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'name of the role at the time',
  `amount` bigint NOT NULL COMMENT 'deducted from the role''s balance',
  `balance_before` bigint DEFAULT NULL COMMENT 'seen in the game database before sending',
  `status` enum('created','sending','succeeded','refused','failed','unknown') COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'settle unknown ones: set succeeded or failed, WHERE status = ''unknown''; the role is free at once',
  `reason` varchar(64) COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'error name of a refused or failed one',
  `idempotency_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'of the client; kept for ever',
  `request_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'X-Request-Id of the player''s request',
  `order_no` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'what the game server knows it by; NULL: nothing was ever sent',
  `gm_host` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin DEFAULT NULL COMMENT 'game server that the command went to; the only one that is asked for its outcome',
  `gm_port` int DEFAULT NULL COMMENT 'port of gm_host',
  `gm_path` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin DEFAULT NULL COMMENT 'path on gm_host',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; the player''s request',
  `sent_at` datetime(3) DEFAULT NULL COMMENT 'UTC; the command went out right after',
  `settled_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the outcome was known',
  `asks` int NOT NULL DEFAULT '0' COMMENT 'how often the game server was asked for the outcome',
  `asked_at` datetime(3) DEFAULT NULL COMMENT 'UTC; the last time it was asked',
  `mailed_at` datetime(3) DEFAULT NULL COMMENT 'UTC; when the mail to the owner was sent, once for each withdrawal',
  `is_open` int GENERATED ALWAYS AS ((case when (`status` not in (_utf8mb4'succeeded',_utf8mb4'refused',_utf8mb4'failed')) then 1 end)) STORED COMMENT 'allows one open withdrawal per server and role',
  `address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'of the client; NULL: from before this column, or the account was closed',
  `session_id` bigint DEFAULT NULL COMMENT 'the session that asked for it, as in login_event; NULL: as for address, or a token without a session',
  PRIMARY KEY (`id`),
  UNIQUE KEY `withdraw_open` (`role_server_id`,`role_id`,`is_open`),
  UNIQUE KEY `withdraw_key` (`player_id`,`idempotency_key`),
  UNIQUE KEY `withdraw_order` (`order_no`),
  KEY `withdraw_status` (`status`,`created_at`),
  KEY `withdraw_settled_at` (`settled_at`),
  KEY `withdraw_request` (`request_id`),
  KEY `withdraw_created_at` (`created_at`),
  KEY `withdraw_server` (`role_server_id`,`created_at`),
  KEY `withdraw_server_status` (`role_server_id`,`status`,`created_at`),
  KEY `withdraw_role_name` (`role_name`),
  KEY `withdraw_player` (`player_id`,`created_at`,`id`,`status`,`amount`),
  CONSTRAINT `withdraw_amount` CHECK ((`amount` > 0)),
  CONSTRAINT `withdraw_never_sent` CHECK (((`status` <> _utf8mb4'created') or (`order_no` is null))),
  CONSTRAINT `withdraw_no_blanks` CHECK (((`reason` <> _utf8mb4'') and (`idempotency_key` <> _ascii'') and (`order_no` <> _ascii'') and (`gm_host` <> _utf8mb4'') and (`gm_path` <> _utf8mb4''))),
  CONSTRAINT `withdraw_sent` CHECK (((`status` not in (_utf8mb4'sending',_utf8mb4'unknown',_utf8mb4'succeeded')) or (`order_no` is not null))),
  CONSTRAINT `withdraw_status` CHECK ((`status` in (_utf8mb4'created',_utf8mb4'sending',_utf8mb4'succeeded',_utf8mb4'refused',_utf8mb4'failed',_utf8mb4'unknown')))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: withdrawals; what happened to each is in withdraw_event';

CREATE TABLE `withdraw_event` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
  `withdraw_id` int NOT NULL COMMENT 'the withdrawal',
  `from_status` enum('created','sending','succeeded','refused','failed','unknown') COLLATE utf8mb4_unicode_ci DEFAULT NULL COMMENT 'NULL: the withdrawal is new',
  `to_status` enum('created','sending','succeeded','refused','failed','unknown') COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'status from then on',
  `cause` enum('request','balance','gm','sweeper','gm_query','person','sql') COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'gm: the game server''s answer, or none; gm_query: it was asked later; sql: an edit that the service noticed',
  `evidence` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'why: the answer, the balance, or the operator''s note',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC',
  PRIMARY KEY (`id`),
  KEY `withdraw_event_withdraw` (`withdraw_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: every change of a withdrawal''s status; rows are only added';

CREATE TABLE `withdraw_orphan` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'its own, not that of the withdrawal',
  `order_no` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'what the game server knows it by',
  `outcome` varchar(16) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'what the game server said: accepted, refused, not_sent or unknown',
  `evidence` varchar(1000) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'the game server''s answer',
  `withdraw_id` int NOT NULL COMMENT 'id that its row had; another withdrawal may have it now',
  `player_id` int NOT NULL COMMENT 'the account',
  `server_id` int NOT NULL COMMENT 'server the player chose',
  `role_server_id` int NOT NULL COMMENT 'server whose game database holds the role',
  `role_id` bigint NOT NULL COMMENT 'role in the game; ids are the server''s own',
  `role_name` varchar(64) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'name of the role at the time',
  `amount` bigint NOT NULL COMMENT 'deducted, where the outcome is accepted',
  `balance_before` bigint DEFAULT NULL COMMENT 'seen in the game database before sending',
  `idempotency_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL COMMENT 'of the client',
  `requested_at` datetime(3) NOT NULL COMMENT 'UTC; created_at of its row',
  `sent_at` datetime(3) NOT NULL COMMENT 'UTC; the command went out right after',
  `gm_host` varchar(255) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'game server that the command went to',
  `gm_port` int NOT NULL COMMENT 'port of gm_host',
  `gm_path` varchar(255) COLLATE utf8mb4_unicode_ci NOT NULL COMMENT 'path on gm_host',
  `created_at` datetime(3) NOT NULL COMMENT 'UTC; when the service missed the row',
  `handled_at` datetime(3) DEFAULT NULL COMMENT 'UTC; set it once a person has dealt with it: the alarm ends',
  PRIMARY KEY (`id`),
  UNIQUE KEY `withdraw_orphan_order` (`order_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='Gatehouse: orders that were sent and whose row in withdraw is gone; for a person';
