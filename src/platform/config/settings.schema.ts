import 'reflect-metadata';
import { IsIn, IsTimeZone, Length } from 'class-validator';
import { type EventEndpoint, IsEndpointList } from './event-settings.js';
import {
  IsLegalList,
  IsLocalizedText,
  IsNoticeList,
  type LegalLine,
  LocalizedText,
  noticeProblems,
  type NoticeSettings,
} from './notice-settings.js';
import {
  AllowNull,
  IsAccountList,
  IsAddressList,
  IsDatabasePattern,
  IsHostList,
  IsIdentifier,
  IsInstanceList,
  IsIntBetween,
  IsMailDomainList,
  IsPathList,
  IsShare,
  IsSwitch,
  IsUrlWithProtocol,
  NestedSettings,
} from './validators.js';

const LONGEST_COUNT = 14 * 24 * 60 * 60;

/** In `registration.mail_domains_denied`, this word selects the built-in list of disposable e-mail services. */
export const THROWAWAY = 'throwaway';

class RateLimitSettings {
  /** Number of requests per minute that one address may send. `game_server_ips` are exempt. */
  @IsIntBetween(1) per_minute = 300;
}

export class LoginLimit {
  /** Number of failed logins that start a lock. */
  @IsIntBetween(1) failures: number;
  /** Seconds within which these failures count. */
  @IsIntBetween(1, LONGEST_COUNT) window: number;
  /** Duration of the lock in seconds. */
  @IsIntBetween(1, LONGEST_COUNT) lock: number;
}

class DoublingLoginLimit extends LoginLimit {
  /** Each further lock lasts twice as long, up to this many seconds. */
  @IsIntBetween(1, LONGEST_COUNT) max_lock: number;
}

class LoginThrottleSettings {
  /** Limits failed logins to one account from one address. */
  @NestedSettings(() => DoublingLoginLimit)
  account_and_address: DoublingLoginLimit = { failures: 5, window: 300, lock: 60, max_lock: 900 };

  /** Limits failed logins from one address. */
  @NestedSettings(() => LoginLimit) address: LoginLimit = { failures: 30, window: 600, lock: 600 };

  /** Limits failed logins to one account. The lock does not affect addresses that logged in within 30 days. */
  @NestedSettings(() => LoginLimit) account: LoginLimit = { failures: 30, window: 3600, lock: 900 };
}

class VerifySettings {
  /** Seconds between two codes to one e-mail address. */
  @IsIntBetween(1, LONGEST_COUNT) cooldown = 60;
  /** Number of codes per hour that one e-mail address may get. */
  @IsIntBetween(1) per_hour = 5;
  /** Number of codes per day that one e-mail address may get. */
  @IsIntBetween(1) per_day = 10;
  /** Number of codes per hour that one address may request. */
  @IsIntBetween(1) per_address_hour = 20;
  /** Number of e-mails per minute that the service may send. A tenth is reserved for e-mails that warn owners. */
  @IsIntBetween(1) per_minute_all = 600;
}

class RegistrationSettings {
  /**
   * Number of accounts that one address may register within 24 hours. An IPv6 client counts as its /56. Use null for no limit.
   */
  @AllowNull() @IsIntBetween(1) per_address_day: number | null = 100;
  /** Names that nobody may register, in upper or lower case, because players would take them for staff. */
  @IsAccountList()
  reserved_names = ['admin', 'administrator', 'support', 'gm', 'system', 'gatehouse'];
  /**
   * Mail domains at which nobody may register a mailbox, such as spam.example or *.spam.example (its subdomains). The
   * word throwaway adds the shipped list of throwaway mail services with their subdomains. Old mailboxes stay valid.
   */
  @IsMailDomainList(THROWAWAY) mail_domains_denied: string[] = [];
  /** The only mail domains at which a mailbox may be registered. An empty list allows all that are not denied. */
  @IsMailDomainList() mail_domains_allowed: string[] = [];
}

class PasswordSettings {
  /** Shortest length of a new password. Old passwords stay valid. */
  @IsIntBetween(6, 64) min_length = 8;
}

const CHALLENGE_MODES = ['off', 'auto', 'always'] as const;

class ChallengeSettings {
  /**
   * Determines when a browser must compute for about a second before a code is e-mailed, to deter bots. With auto, it
   * must do so while registrations or e-mails are above busy_share, or after its address (for IPv6, its /56) has requested
   * three codes within an hour.
   */
  @IsIn(CHALLENGE_MODES, { message: `must be one of ${CHALLENGE_MODES.join(', ')}` })
  mode: (typeof CHALLENGE_MODES)[number] = 'auto';
  /** Share of day_max_reg, or of verify.per_minute_all, above which auto requires the work (0 to 1). */
  @IsShare() busy_share = 0.5;
  /** The largest number of hashes that the work may take. On average it takes half of them. */
  @IsIntBetween(1000, 10_000_000) difficulty = 50_000;
}

/** The specification assigns this number to the GM operation that deducts. Queries must use a different number. */
export const GM_DEDUCT_OP = 10030;
const GM_ANSWERS = ['plain', 'order_no'] as const;

class WithdrawSettings {
  /** Use false to stop new withdrawals. */
  @IsSwitch() enabled = true;
  /** Smallest amount of one withdrawal. */
  @IsIntBetween(1) min = 100;
  /** Largest amount of one withdrawal. */
  @IsIntBetween(1) max = 100_000;
  /** Largest amount that one account may withdraw per day. */
  @IsIntBetween(1) daily_max = 500_000;
  /** Name of the currency that players see. */
  @Length(1, 32, { message: 'must be a text of 1 to 32 characters' }) currency = 'yuanbao';
  /** Seconds to wait for the game server's response. */
  @IsIntBetween(1, 10) gm_timeout = 5;
  /**
   * GM operation that asks for the outcome of an order. 10030 is refused, because it deducts. With null, operators
   * settle unknown withdrawals.
   */
  @AllowNull() @IsIntBetween(1) gm_query_op: number | null = null;
  /**
   * Determines which responses of the game server count as success. With plain, {"code":0} does. With order_no
   * (recommended if the game supports it), the response must also repeat the command's order_no, so that no other
   * response counts.
   */
  @IsIn(GM_ANSWERS, { message: `must be one of ${GM_ANSWERS.join(', ')}` })
  gm_answer: (typeof GM_ANSWERS)[number] = 'plain';
  /** A player may withdraw for this many minutes after a sign-in or a confirmed password. Use 0 for no such limit. */
  @IsIntBetween(0) proof_minutes = 60;
  /**
   * Withdrawals pause for this many hours after a password reset by mail, a new e-mail address or a removed second
   * factor. Use 0 for no pause.
   */
  @IsIntBetween(0) pause_hours = 24;
  /**
   * Says where the withdrawn currency goes, such as { zh: "商城余额", en: "your balance in the shop" }. Players read it
   * before and after a withdrawal and in its mail. With null, the pages promise nothing, because Gatehouse only deducts
   * and records.
   */
  @AllowNull() @IsLocalizedText() destination: LocalizedText | null = null;
}

class GameDatabaseColumns {
  /** Column with the id of the role. */
  @IsIdentifier() role_id = 'actorid';
  /** Column with the name of the role. */
  @IsIdentifier() role_name = 'actorname';
  /** Column with the account that owns the role. */
  @IsIdentifier() account = 'accountname';
  /** Column with the level of the role. */
  @IsIdentifier() level = 'level';
  /** Column with the amount that the role can withdraw. */
  @IsIdentifier() balance = 'nonbindyuanbao';
}

class GameDatabaseSettings {
  /** Name of a server's game database; `{server_id}` stands for the server's id. */
  @IsDatabasePattern() pattern = 'mir_actor_s{server_id}';
  /** Table that contains the roles. */
  @IsIdentifier() table = 'actors';
  /** Names the columns of that table. */
  @NestedSettings(() => GameDatabaseColumns) columns = new GameDatabaseColumns();
}

class ChatSettings {
  /** Number of days for which chat reports are kept. Use null to keep them forever. */
  @AllowNull() @IsIntBetween(1) retention_days: number | null = 180;
  /** Use true to let every address report chat, not only `game_server_ips`. */
  @IsSwitch() open = false;
}

class LoginEventsSettings {
  /**
   * Number of days for which logins, failed logins and sent e-mails are kept (`login_event`, `mail_event`). Use null to
   * keep them forever.
   */
  @AllowNull() @IsIntBetween(1) retention_days: number | null = 90;
}

class SessionSettings {
  // Browsers keep a cookie for at most 400 days.
  /** Number of days for which a browser stays signed in after its last use. Use 0 to switch this off. */
  @IsIntBetween(0, 400) remember_days = 30;
  /**
   * Number of days for which a browser may skip the second step of a sign-in, if the player chose this. Use 0 to switch
   * this off, also for browsers that players have already trusted.
   */
  @IsIntBetween(0, 400) trust_days = 30;
  /** Days after which a browser that stays signed in has to sign in again, however often it is used. */
  @IsIntBetween(1, 3650) max_days = 180;
  /** Number of sessions that an account may have at once. A sign-in above this number ends the oldest session. */
  @IsIntBetween(1, 1000) max_per_account = 100;
}

class AccountSettings {
  /**
   * Number of days from the request to close an account until it is closed. With 0, players cannot close their accounts
   * themselves.
   */
  @IsIntBetween(0, 365) close_days = 7;
}

class MailSettings {
  /** Mails the owner of an account about a sign-in from a new address. */
  @IsSwitch() new_device = true;
  /** Mails the owner, at most once a day, when strangers have locked the account by guessing passwords. */
  @IsSwitch() siege = true;
  /** Mails the owner about each withdrawal that succeeded or whose outcome is unknown. */
  @IsSwitch() withdrawal = true;
}

class DeskSettings {
  /**
   * Withdrawals above this amount must be settled by two operators at the desk. Unless it is 0, two people must also
   * agree, at the desk or by command, to a new server, to a merge, and to a change to a server's GM host, port or path,
   * or its database host or port. Operators can then be added, reset and enabled only by command. With 0, one operator
   * is enough.
   */
  @IsIntBetween(0) four_eyes_above = 0;
  /**
   * Instances that the desk and `gatehouse status` show, such as 192.0.2.11:3001. If the list is empty, they show only
   * the instance on their own host.
   */
  @IsInstanceList() instances: string[] = [];
}

class LegacySettings {
  /** Paths that return 410. */
  @IsPathList() gone = ['/api', '/api.php', '/callback', '/callback.php', '/server', '/server.php'];
  /** Paths that are redirected to the login page (301). */
  @IsPathList() login = ['/login', '/login.php'];
}

/**
 * Declares the keys of `config/settings.yaml`, which operators change while the service runs. Times are in seconds
 * unless a key names another unit.
 */
export class SettingsValues {
  /** Addresses and CIDR blocks that get 403. */
  @IsAddressList() deny_ip: string[] = [];
  /** Number of registrations per day. Use 0 to allow none and null for no limit. */
  @AllowNull() @IsIntBetween(0) day_max_reg: number | null = 1000;
  /** Time zone in which the day of registrations and withdrawals ends, such as Asia/Shanghai. */
  @IsTimeZone({ message: 'must be a time zone, such as UTC or Asia/Shanghai' }) timezone = 'UTC';
  /** Addresses that may call /api/bind_account and /api/link, and report chat. */
  @IsAddressList() game_server_ips = ['127.0.0.1', '::1'];
  /**
   * Hosts, addresses and CIDR blocks that gm_address (address, if that is NULL) and db_host of a server may name. The
   * service connects to no other host. An empty list allows every host.
   */
  @IsHostList() game_hosts: string[] = [];
  /** Addresses that may read /api/metrics. */
  @IsAddressList() metrics_ips = ['127.0.0.1', '::1'];
  /**
   * Limits the requests of every address to `/api/…` and unknown paths, except health, metrics and documents. An IPv6
   * client counts as its /64.
   */
  @NestedSettings(() => RateLimitSettings) rate_limit = new RateLimitSettings();
  /** Locks accounts and addresses after failed logins. */
  @NestedSettings(() => LoginThrottleSettings) login_throttle = new LoginThrottleSettings();
  /** Limits e-mailed codes. */
  @NestedSettings(() => VerifySettings) verify = new VerifySettings();
  /** Limits new accounts. */
  @NestedSettings(() => RegistrationSettings) registration = new RegistrationSettings();
  /** Sets the rules for new passwords. */
  @NestedSettings(() => PasswordSettings) password = new PasswordSettings();
  /** Makes bots spend computing time on each code. Players do not notice it. */
  @NestedSettings(() => ChallengeSettings) challenge = new ChallengeSettings();
  /** Controls withdrawals of in-game currency. */
  @NestedSettings(() => WithdrawSettings) withdraw = new WithdrawSettings();
  /** Says where the game keeps the roles of a server. */
  @NestedSettings(() => GameDatabaseSettings) game_database = new GameDatabaseSettings();
  /** Controls chat reports. */
  @NestedSettings(() => ChatSettings) chat = new ChatSettings();
  /** Controls the records of logins and e-mails. */
  @NestedSettings(() => LoginEventsSettings) login_events = new LoginEventsSettings();
  /** Controls the sessions of players. */
  @NestedSettings(() => SessionSettings) session = new SessionSettings();
  /** Lets owners close their accounts. */
  @NestedSettings(() => AccountSettings) account = new AccountSettings();
  /** Chooses which mails the owner of an account gets. */
  @NestedSettings(() => MailSettings) mail = new MailSettings();
  /**
   * Up to 10 endpoints that get signed events about players (docs/operations.md, "Events"). Without `types`, an endpoint
   * gets all events. Its host must be in game_hosts, and EVENT_SECRETS must have a secret under its name.
   *
   *   - name: game
   *     url: https://game1.example.com/gatehouse
   *     types: [player.banned, player.signed_out]
   */
  @IsEndpointList() events: EventEndpoint[] = [];
  /** Configures the operators' desk. */
  @NestedSettings(() => DeskSettings) desk = new DeskSettings();
  /**
   * Up to 5 messages that every page of the front end shows, each in both languages.
   *
   * Without `from`, a notice appears at once, and without `until`, it stays forever. Times need their time zone:
   *   - text: { zh: "服务器将于 2:00 维护两小时。", en: "Maintenance at 2:00, for two hours." }
   *     level: warning           # or info
   *     from: 2026-11-19T12:00:00+08:00
   *     until: 2026-11-20T04:00:00+08:00
   *     link: https://…          # or mailto:…
   */
  @IsNoticeList() notices: NoticeSettings[] = [];
  /**
   * Up to 20 lines that every page shows in its footer, such as company, licences and age rating, each in both
   * languages.
   *
   *   - text: { zh: "京ICP备00000000号", en: "ICP 00000000" }
   *     link: https://beian.miit.gov.cn/   # or mailto:…, or none
   */
  @IsLegalList() legal: LegalLine[] = [];
  /** Link to player support, which every page shows. */
  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) support_url: string | null = null;
  /** Link to the privacy policy, which every page shows. */
  @AllowNull() @IsUrlWithProtocol(['https:', 'mailto:']) privacy_url: string | null = null;
  /**
   * URL of the game client that the front end opens. With null, it opens the sandbox's page, or none without the
   * sandbox.
   */
  @AllowNull() @IsUrlWithProtocol(['http:', 'https:']) game_client_url: string | null = null;
  /** Handles the entry points of the previous generation. */
  @NestedSettings(() => LegacySettings) legacy = new LegacySettings();
}

export const DEFAULT_SETTINGS = new SettingsValues();

/** Describes settings that are valid individually, but not together. */
export function contradictions({ withdraw, login_throttle, notices }: SettingsValues): string[] {
  const problems: string[] = [];
  if (withdraw?.min > withdraw?.max) problems.push('withdraw.min must not be above withdraw.max');
  if (withdraw?.gm_query_op === GM_DEDUCT_OP)
    problems.push(
      `withdraw.gm_query_op must not be ${GM_DEDUCT_OP}: that op deducts, so each query would deduct again`,
    );
  const doubling = login_throttle?.account_and_address;
  if (doubling?.lock > doubling?.max_lock)
    problems.push('login_throttle.account_and_address.lock must not be above its max_lock');
  problems.push(...noticeProblems(notices));
  return problems;
}
