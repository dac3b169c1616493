import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { verifySmtp } from '../../../platform/mail/smtp-transport.js';
import { type CheckResult, passed, info, failed } from './check-result.js';

const MIN_FREE_MB = 1024;
const MIN_FREE_SHARE = 0.1;
const SLOW_MAIL_MS = 3000;

/** Settings, Redis, the mail server, and the disk that we write to. */
@Injectable()
export class MachineChecks {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly redis: RedisConnection,
  ) {}

  /** What is read at the start: a command that got so far has an environment. */
  configuration(): CheckResult[] {
    const { problems } = this.settings;
    const environment = this.environment.embedded
      ? info('environment', 'no DATABASE_URL: embedded database and sandbox')
      : passed('environment', 'every variable is well-formed');
    return [
      environment,
      ...(problems.length === 0
        ? [passed('settings', `${this.environment.SETTINGS_FILE} is in force`)]
        : problems.map((problem) =>
            failed('settings', `${this.environment.SETTINGS_FILE}: ${problem}`),
          )),
    ];
  }

  async redisState(): Promise<CheckResult[]> {
    await this.redis.waitForFirstConnection();
    const { state } = this.redis;
    if (state === 'up') return [passed('Redis', 'counters are shared by all instances')];
    return state === 'off'
      ? [info('Redis', 'REDIS_URL is not set: limits hold for each instance by itself')]
      : [
          failed(
            'Redis',
            'cannot be used, limits hold for each instance by itself: the log says why',
          ),
        ];
  }

  /** Connects and signs in, and sends nothing. */
  async mail(): Promise<CheckResult[]> {
    const { SMTP_URL } = this.environment;
    if (!SMTP_URL)
      return this.environment.embedded
        ? [info('mail', 'SMTP_URL is not set: the sandbox takes the mails')]
        : [failed('mail', 'SMTP_URL is not set: nobody can register')];
    const started = performance.now();
    await verifySmtp(SMTP_URL);
    const ms = Math.round(performance.now() - started);
    return ms > SLOW_MAIL_MS
      ? [failed('mail', `the mail server answers slowly: ${ms} ms`)]
      : [
          passed(
            'mail',
            `the mail server answers in ${ms} ms; how long it takes mails: gatehouse status`,
          ),
        ];
  }

  async disk(): Promise<CheckResult[]> {
    const folder = this.environment.embedded ? this.environment.DATA_DIR : process.cwd();
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = Math.floor((bavail * bsize) / 1024 ** 2);
    const share = bavail / blocks;
    const text = `${free} MB free (${Math.round(share * 100)} %) where ${folder} is`;
    return free < MIN_FREE_MB || share < MIN_FREE_SHARE
      ? [failed('disk', `${text}: make room`)]
      : [passed('disk', text)];
  }
}
