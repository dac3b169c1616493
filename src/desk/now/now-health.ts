import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RedisConnection } from '../../counters/redis-connection.js';
import { AccountDatabase } from '../../database/account-database.js';
import { verifySmtp } from '../../mail/smtp-transport.js';
import { statusOf } from '../../operations/instance-status.js';

const MAIL_EVERY_MS = 300_000;
const MAIL_DOWN_EVERY_MS = 60_000;
const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

export type MailState = 'up' | 'down' | 'off' | 'unknown';

/** What the service stands on, as seen from this host. Of other instances nothing is known here. */
@Injectable()
export class NowHealth {
  private readonly logger = new Logger(NowHealth.name);
  private mailState: MailState = 'unknown';
  private mailAsked = -Infinity;

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

  private async instances() {
    const { HOST, PORT } = this.environment;
    if (PORT === 0) return [];
    const host = EVERYWHERE[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
    const address = `http://${host}:${PORT}`;
    const { ready, version, problem } = await statusOf(address);
    const state = !ready ? 'down' : problem === null ? 'up' : 'impaired';
    return [{ name: 'this host', address, state, version, problem }];
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
