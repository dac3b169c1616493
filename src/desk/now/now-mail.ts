import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { SLOW_MAIL_SECONDS } from '../../mail/mail-times.js';
import { verifySmtp } from '../../mail/smtp-transport.js';
import type { SeenMail } from '../answers/now.js';

const EVERY_MS = 300_000;
const DOWN_EVERY_MS = 60_000;
// Some that fail, and one in so many, are more than a mailbox that does not exist.
const SOME = 3;
const MANY = 10;

type ServerState = 'up' | 'down' | 'off' | 'unknown';
type Figures = Omit<SeenMail, 'state'>;

/** Whether mail goes out: what the mail server says to us, and what became of the mails of all instances. */
@Injectable()
export class NowMail {
  private readonly logger = new Logger(NowMail.name);
  private server: ServerState = 'unknown';
  private asked = -Infinity;

  constructor(private readonly environment: Environment) {}

  look(instances: readonly Figures[]): SeenMail {
    const sums = sumOf(instances);
    return { state: stateOf(this.ask(), sums), ...sums };
  }

  /** Asked in the background, and only while somebody looks: it may take seconds. */
  private ask(): ServerState {
    const { SMTP_URL } = this.environment;
    if (!SMTP_URL) return 'off';
    const every = this.server === 'up' ? EVERY_MS : DOWN_EVERY_MS;
    if (performance.now() - this.asked > every) {
      this.asked = performance.now();
      void verifySmtp(SMTP_URL)
        .then(() => (this.server = 'up'))
        .catch((error: Error) => {
          this.server = 'down';
          this.logger.warn(error.message);
        });
    }
    return this.server;
  }
}

function sumOf(instances: readonly Figures[]): Figures {
  const slowest = instances.flatMap(({ slowest_mail }) => slowest_mail ?? []);
  const hours = instances.flatMap(({ mails_last_hour }) => mails_last_hour ?? []);
  const sum = (which: 'all' | 'failed' | 'slow') =>
    hours.reduce((total, hour) => total + hour[which], 0);
  return {
    slowest_mail: slowest.length > 0 ? Math.max(...slowest) : null,
    mails_last_hour:
      hours.length > 0 ? { all: sum('all'), failed: sum('failed'), slow: sum('slow') } : null,
  };
}

/** One that answers us may still be slow with the players' mails, or refuse them. */
function stateOf(
  server: ServerState,
  { slowest_mail, mails_last_hour }: Figures,
): SeenMail['state'] {
  if (server === 'down' || server === 'off') return server;
  const { all = 0, failed = 0 } = mails_last_hour ?? {};
  if (failed >= SOME && failed * MANY >= all) return 'failing';
  return (slowest_mail ?? 0) >= SLOW_MAIL_SECONDS ? 'slow' : server;
}
