import 'reflect-metadata';
import { IsString, Length } from 'class-validator';
import { AreNotices, type NoticeSettings } from './notice-rules.js';
import { Group, OrNull, Switch, Whole } from './setting.decorator.js';
import {
  AreAddresses,
  AreInstances,
  ArePaths,
  IsDatabasePattern,
  IsIdentifier,
  IsTimeZone,
  IsUrlOf,
} from './validators.js';

/** The GM operation that deducts, fixed by the specification. Inquiries must use another one. */
export const GM_DEDUCT_OP = 10030;

// Node's timers, and with them the counters in memory, last 24 days at most.
const LONGEST_COUNT = 14 * 24 * 60 * 60;

class RateLimitSettings {
  @Whole(1) per_minute: number;
}

export class LoginLimit {
  @Whole(1) failures: number;
  @Whole(1, LONGEST_COUNT) window: number;
  @Whole(1, LONGEST_COUNT) lock: number;
}

export class DoublingLoginLimit extends LoginLimit {
  @Whole(1, LONGEST_COUNT) max_lock: number;
}

class LoginThrottleSettings {
  @Group(() => DoublingLoginLimit) account_and_address: DoublingLoginLimit;
  @Group(() => LoginLimit) address: LoginLimit;
  @Group(() => LoginLimit) account: LoginLimit;
}

class VerifySettings {
  @Whole(1, LONGEST_COUNT) cooldown: number;
  @Whole(1) per_hour: number;
  @Whole(1) per_day: number;
  @Whole(1) per_address_hour: number;
  @Whole(1) per_minute_all: number;
}

class RegistrationSettings {
  @OrNull() @Whole(1) per_address_day: number | null;
}

class WithdrawSettings {
  @Switch() enabled: boolean;
  @Whole(1) min: number;
  @Whole(1) max: number;
  @Whole(1) daily_max: number;
  @IsString() @Length(1, 32) currency: string;
  @Whole(1, 10) gm_timeout: number;
  @OrNull() @Whole(1) gm_query_op: number | null;
}

class GameDatabaseColumns {
  @IsIdentifier() role_id: string;
  @IsIdentifier() role_name: string;
  @IsIdentifier() account: string;
  @IsIdentifier() level: string;
  @IsIdentifier() balance: string;
}

class GameDatabaseSettings {
  @IsDatabasePattern() pattern: string;
  @IsIdentifier() table: string;
  @Group(() => GameDatabaseColumns) columns: GameDatabaseColumns;
}

class ChatSettings {
  @OrNull() @Whole(1) retention_days: number | null;
  @Switch() open: boolean;
}

class LoginEventsSettings {
  @OrNull() @Whole(1) retention_days: number | null;
}

class SessionSettings {
  // Browsers keep no cookie for longer than 400 days.
  @Whole(0, 400) remember_days: number;
}

class MailSettings {
  @Switch() new_device: boolean;
  @Switch() siege: boolean;
}

class DeskSettings {
  @Whole(0) four_eyes_above: number;
  @AreInstances() instances: string[];
}

class LegacySettings {
  @ArePaths() gone: string[];
  @ArePaths() login: string[];
}

/** The keys of `config/settings.yaml`, which operations may change while the service runs. Times are seconds. */
export class SettingsValues {
  @AreAddresses() deny_ip: string[];
  @OrNull() @Whole(0) day_max_reg: number | null;
  @IsTimeZone() timezone: string;
  @AreAddresses() game_server_ips: string[];
  @AreAddresses() metrics_ips: string[];
  @Group(() => RateLimitSettings) rate_limit: RateLimitSettings;
  @Group(() => LoginThrottleSettings) login_throttle: LoginThrottleSettings;
  @Group(() => VerifySettings) verify: VerifySettings;
  @Group(() => RegistrationSettings) registration: RegistrationSettings;
  @Group(() => WithdrawSettings) withdraw: WithdrawSettings;
  @Group(() => GameDatabaseSettings) game_database: GameDatabaseSettings;
  @Group(() => ChatSettings) chat: ChatSettings;
  @Group(() => LoginEventsSettings) login_events: LoginEventsSettings;
  @Group(() => SessionSettings) session: SessionSettings;
  @Group(() => MailSettings) mail: MailSettings;
  @Group(() => DeskSettings) desk: DeskSettings;
  @AreNotices() notices: NoticeSettings[];
  @OrNull() @IsUrlOf(['https:', 'mailto:']) support_url: string | null;
  @OrNull() @IsUrlOf(['https:', 'mailto:']) privacy_url: string | null;
  @OrNull() @IsUrlOf(['http:', 'https:']) game_client_url: string | null;
  @Group(() => LegacySettings) legacy: LegacySettings;
}

export const DEFAULT_SETTINGS: SettingsValues = {
  deny_ip: [],
  day_max_reg: 1000,
  timezone: 'UTC',
  game_server_ips: ['127.0.0.1', '::1'],
  metrics_ips: ['127.0.0.1', '::1'],
  rate_limit: { per_minute: 300 },
  login_throttle: {
    account_and_address: { failures: 5, window: 300, lock: 60, max_lock: 900 },
    address: { failures: 30, window: 600, lock: 600 },
    account: { failures: 30, window: 3600, lock: 900 },
  },
  verify: { cooldown: 60, per_hour: 5, per_day: 10, per_address_hour: 20, per_minute_all: 600 },
  registration: { per_address_day: 100 },
  withdraw: {
    enabled: true,
    min: 100,
    max: 100_000,
    daily_max: 500_000,
    currency: 'yuanbao',
    gm_timeout: 5,
    gm_query_op: null,
  },
  game_database: {
    pattern: 'mir_actor_s{server_id}',
    table: 'actors',
    columns: {
      role_id: 'actorid',
      role_name: 'actorname',
      account: 'accountname',
      level: 'level',
      balance: 'nonbindyuanbao',
    },
  },
  chat: { retention_days: 180, open: false },
  login_events: { retention_days: 90 },
  session: { remember_days: 30 },
  mail: { new_device: true, siege: true },
  desk: { four_eyes_above: 0, instances: [] },
  notices: [],
  support_url: null,
  privacy_url: null,
  game_client_url: null,
  legacy: {
    gone: ['/api', '/api.php', '/callback', '/callback.php', '/server', '/server.php'],
    login: ['/login', '/login.php'],
  },
};
