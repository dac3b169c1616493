import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { type CheckResult, passed, info, failed } from './check-result.js';

const MIN_FREE_MB = 1024;
const MIN_FREE_SHARE = 0.1;

@Injectable()
export class MachineChecks {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly redis: RedisConnection,
  ) {}

  /** Reports the environment as valid, because commands do not start with an invalid one. */
  configuration(): CheckResult[] {
    const { problems } = this.settings;
    const environment = this.environment.embedded
      ? info('environment', 'no DATABASE_URL: embedded database and sandbox')
      : passed('environment', 'every variable is well-formed');
    return [
      environment,
      ...(problems.length === 0
        ? [passed('settings', `${this.environment.SETTINGS_FILE} is valid`)]
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
      ? [info('Redis', 'REDIS_URL is not set, so each instance applies the limits separately')]
      : [
          failed(
            'Redis',
            `cannot be used, so each instance applies the limits separately: ${this.redis.downReason ?? 'no answer yet'}; start it, or correct REDIS_URL`,
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
      ? [failed('disk', `${text}: free some space`)]
      : [passed('disk', text)];
  }
}
