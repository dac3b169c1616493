import 'reflect-metadata';
import { IsTimeZone, Length } from 'class-validator';
import {
  LoginThrottleSettings,
  RateLimitSettings,
  RegistrationSettings,
  VerifySettings,
} from './limits.schema.js';
import { IsNoticeList, type NoticeSettings } from './notice-settings.js';
import { NestedSettings, AllowNull, IsSwitch, IsIntBetween } from './setting.decorator.js';
import {
  IsAddressList,
  IsHostList,
  IsInstanceList,
  IsPathList,
  IsDatabasePattern,
  IsIdentifier,
  IsUrlWithProtocol,
} from './validators.js';

/** The GM operation that deducts, fixed by the specification. Inquiries must use another one. */
export const GM_DEDUCT_OP = 10030;

class WithdrawSettings {
  /** false: no new withdrawals. */
  @IsSwitch() enabled = true;
  /** Smallest amount of one withdrawal. */
  @IsIntBetween(1) min = 100;
  /** Largest amount of one withdrawal. */
  @IsIntBetween(1) max = 100_000;
  /** Largest amount of one account per day. */
  @IsIntBetween(1) daily_max = 500_000;
  /** Name of the currency that players see. */
  @Length(1, 32, { message: 'must be a text of 1 to 32 characters' }) currency = 'yuanbao';
  /** Seconds to wait for the game server's answer. */
  @IsIntBetween(1, 10) gm_timeout = 5;
  /**
   * GM operation that asks what became of an order; 10030 is refused, because it deducts. null: there is none, operators
   * settle unknown withdrawals.
   */
  @AllowNull() @IsIntBetween(1) gm_query_op: number | null = null;
  /** Minutes after a sign-in or a confirmed password in which a player may withdraw. 0: not asked for. */
  @IsIntBetween(0) proof_minutes = 60;
  /** Hours without withdrawals after a password reset by mail or a new mailbox. 0: none. */
  @IsIntBetween(0) pause_hours = 24;
}

class GameDatabaseColumns {
  /** Id of the role. */
  @IsIdentifier() role_id = 'actorid';
  /** Name of the role. */
  @IsIdentifier() role_name = 'actorname';
  /** Account that owns the role. */
  @IsIdentifier() account = 'accountname';
  /** Level of the role. */
  @IsIdentifier() level = 'level';
  /** Currency that the role can withdraw. */
  @IsIdentifier() balance = 'nonbindyuanbao';
}

class GameDatabaseSettings {
  /** Name of a server's game database; `{server_id}` stands for the server's id. */
  @IsDatabasePattern() pattern = 'mir_actor_s{server_id}';
  /** Table of the roles. */
  @IsIdentifier() table = 'actors';
  /** Columns of that table. */
  @NestedSettings(() => GameDatabaseColumns) columns = new GameDatabaseColumns();
}

class ChatSettings {
  /** Days that chat reports are kept. null: forever. */
  @AllowNull() @IsIntBetween(1) retention_days: number | null = 180;
  /** true: every address may report chat, not only `game_server_ips`. */
  @IsSwitch() open = false;
}

class LoginEventsSettings {
  /** Days that logins, failed logins and sent mails are kept (`login_event`, `mail_event`). null: forever. */
  @AllowNull() @IsIntBetween(1) retention_days: number | null = 90;
}

class SessionSettings {
  // Browsers keep no cookie for longer than 400 days.
  /** Days that a browser stays signed in after its last use. 0: never. */
  @IsIntBetween(0, 400) remember_days = 30;
}

class AccountSettings {
  /** Days from the request to close an account until that is done. 0: players cannot close their accounts themselves. */
  @IsIntBetween(0, 365) close_days = 7;
}

class MailSettings {
  /** Mail the owner of an account about a sign-in from a new address. */
  @IsSwitch() new_device = true;
  /** Mail the owner, at most once a day, when strangers have locked the account by guessing passwords. */
  @IsSwitch() siege = true;
  /** Mail the owner about each withdrawal that succeeded or whose outcome is unknown. */
  @IsSwitch() withdrawal = true;
}

class DeskSettings {
  /**
   * Withdrawals above this amount are settled by two operators at the desk. Unless it is 0, two admins must also agree to a
   * new server and to a change of its GM or database host, and only the command adds, resets and enables operators. 0: one
   * operator is enough.
   */
  @IsIntBetween(0) four_eyes_above = 0;
  /** Instances that the desk and `gatehouse status` show, such as 192.0.2.11:3001. Empty: the one on their own host. */
  @IsInstanceList() instances: string[] = [];
}

class LegacySettings {
  /** Paths that are answered 410. */
  @IsPathList() gone = ['/api', '/api.php', '/callback', '/callback.php', '/server', '/server.php'];
  /** Paths that are redirected to the login page (301). */
  @IsPathList() login = ['/login', '/login.php'];
}

/** The keys of `config/settings.yaml`, which operators change while the service runs. Times are seconds. */
export class SettingsValues {
  /** Addresses and CIDR blocks that get 403. */
  @IsAddressList() deny_ip: string[] = [];
  /** Registrations per day. 0: none today, null: no limit. */
  @AllowNull() @IsIntBetween(0) day_max_reg: number | null = 1000;
  /** Time zone in which the day of registrations and withdrawals ends, such as Asia/Shanghai. */
  @IsTimeZone({ message: 'must be a time zone, such as UTC or Asia/Shanghai' }) timezone = 'UTC';
  /** Addresses that may call /api/bind_account and /api/link, and report chat. */
  @IsAddressList() game_server_ips = ['127.0.0.1', '::1'];
  /**
   * Hosts, addresses and CIDR blocks that gm_address (address, where that is NULL) and db_host of a server may name. The
   * service connects to no other. Empty: any.
   */
  @IsHostList() game_hosts: string[] = [];
  /** Addresses that may read /api/metrics. */
  @IsAddressList() metrics_ips = ['127.0.0.1', '::1'];
  /** General rate limit. */
  @NestedSettings(() => RateLimitSettings) rate_limit = new RateLimitSettings();
  /** Locks after failed logins. */
  @NestedSettings(() => LoginThrottleSettings) login_throttle = new LoginThrottleSettings();
  /** Limits for e-mailed codes. */
  @NestedSettings(() => VerifySettings) verify = new VerifySettings();
  /** Limits for new accounts. */
  @NestedSettings(() => RegistrationSettings) registration = new RegistrationSettings();
  /** Withdrawals of in-game currency. */
  @NestedSettings(() => WithdrawSettings) withdraw = new WithdrawSettings();
  /** Where the game keeps the roles of a server. */
  @NestedSettings(() => GameDatabaseSettings) game_database = new GameDatabaseSettings();
  /** Chat reports. */
  @NestedSettings(() => ChatSettings) chat = new ChatSettings();
  /** Records of logins and mails. */
  @NestedSettings(() => LoginEventsSettings) login_events = new LoginEventsSettings();
  /** Sessions of players. */
  @NestedSettings(() => SessionSettings) session = new SessionSettings();
  /** Closing of accounts by their owners. */
  @NestedSettings(() => AccountSettings) account = new AccountSettings();
  /** Mails to the owner of an account. */
  @NestedSettings(() => MailSettings) mail = new MailSettings();
  /** The operators' desk. */
  @NestedSettings(() => DeskSettings) desk = new DeskSettings();
  /**
   * Messages on every page of the front end, at most 5, each in both languages.
   *
   * Without `from` a notice shows at once, without `until` forever. Times need their time zone:
   *   - text: { zh: "服务器将于 2:00 维护两小时。", en: "Maintenance at 2:00, for two hours." }
   *     level: warning           # or info
   *     from: 2026-11-19T12:00:00+08:00
   *     until: 2026-11-20T04:00:00+08:00
   *     link: https://…          # or mailto:…
   */
  @IsNoticeList() notices: NoticeSettings[] = [];
  /** Support link on every page. */
  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) support_url: string | null = null;
  /** Privacy link on every page. */
  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) privacy_url: string | null = null;
  /** Game client to which the front end hands a player over. null: the sandbox's page, or none. */
  @AllowNull() @IsUrlWithProtocol(['http:', 'https:']) game_client_url: string | null = null;
  /** Entry points of the previous generation. */
  @NestedSettings(() => LegacySettings) legacy = new LegacySettings();
}

export const DEFAULT_SETTINGS = new SettingsValues();
