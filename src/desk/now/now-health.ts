import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RedisConnection } from '../../counters/redis-connection.js';
import { AccountDatabase } from '../../database/account-database.js';
import { verifySmtp } from '../../mail/smtp-transport.js';
import { type InstanceStatus, statusOf } from '../../operations/instance-status.js';

const MAIL_EVERY_MS = 300_000;
const MAIL_DOWN_EVERY_MS = 60_000;
const PATIENCE_MS = 1000;
const TOO_SLOW = 'it does not answer within a second';
const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

interface SeenInstance {
  name: string;
  address: string;
  state: 'up' | 'impaired' | 'down';
  version: string | null;
  problem: string | null;
}

export type MailState = 'up' | 'down' | 'off' | 'unknown';

/** What the service stands on, as seen from this host. Of other instances nothing is known here. */
@Injectable()
export class NowHealth {
  private readonly logger = new Logger(NowHealth.name);
  private mailState: MailState = 'unknown';
  private mailAsked = -Infinity;
  private asking?: Promise<InstanceStatus>;

  constructor(
    private readonly environment: Environment,
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
  ) {}

  async look() {
    const started = performance.now();
    const isUp = await this.database.isUp();
    const ms = Math.round(performance.now() - started);
    return {
      instances: await this.instances(),
      database: { state: isUp ? 'up' : 'down', ms },
      redis: { state: this.redis.state },
      mail: { state: this.mail() },
    };
  }

  /** One that hangs holds up no page. */
  private async instances(): Promise<SeenInstance[]> {
    const { HOST, PORT } = this.environment;
    if (PORT === 0) return [];
    const host = EVERYWHERE[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
    const instance = { name: 'this host', address: `http://${host}:${PORT}` };
    this.asking ??= statusOf(instance.address, false).finally(() => (this.asking = undefined));
    const slow = pause(PATIENCE_MS, undefined, { ref: false });
    const status = await Promise.race([this.asking, slow]);
    if (!status) return [{ ...instance, state: 'impaired', version: null, problem: TOO_SLOW }];
    const { ready, version, problem } = status;
    const state = !ready ? 'down' : problem === null ? 'up' : 'impaired';
    return [{ ...instance, state, version, problem }];
  }

  /** Asked in the background, and only while somebody looks: it may take seconds. */
  private mail(): MailState {
    const { SMTP_URL } = this.environment;
    if (!SMTP_URL) return 'off';
    const every = this.mailState === 'up' ? MAIL_EVERY_MS : MAIL_DOWN_EVERY_MS;
    if (performance.now() - this.mailAsked > every) {
      this.mailAsked = performance.now();
      void verifySmtp(SMTP_URL)
        .then(() => (this.mailState = 'up'))
        .catch((error: Error) => {
          this.mailState = 'down';
          this.logger.warn(error.message);
        });
    }
    return this.mailState;
  }
}
