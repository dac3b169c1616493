import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { type PreparedAnswer, prepareAnswer } from '../http/answer/prepared-answer.js';
import { HealthChecks } from '../operations/health-checks.js';
import { AgreementUnavailable } from './agreement.errors.js';

const FRESH_MS = 1000;

export interface Agreement {
  answer: PreparedAnswer;
  policy: string;
}

interface Look {
  takenAt: number;
  agreement?: Agreement;
  problem?: string;
}

/** The agreement, read from disk at most once a second. */
@Injectable()
export class AgreementService {
  private readonly logger = new Logger(AgreementService.name);
  private last?: Look;
  private looking?: Promise<Look>;

  constructor(
    private readonly environment: Environment,
    health: HealthChecks,
  ) {
    health.add('agreement', async () => (await this.look()).agreement !== undefined);
  }

  async current(): Promise<Agreement> {
    const { agreement } = await this.look();
    if (!agreement) throw new AgreementUnavailable();
    return agreement;
  }

  private look(): Promise<Look> | Look {
    if (this.last && performance.now() - this.last.takenAt < FRESH_MS) return this.last;
    this.looking ??= this.read().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async read(): Promise<Look> {
    const takenAt = performance.now();
    const before = this.last?.problem;
    try {
      const bytes = await readFile(this.environment.AGREEMENT_FILE);
      if (before !== undefined) this.logger.log('the agreement is there again');
      return (this.last = { takenAt, agreement: this.prepare(bytes) });
    } catch (error) {
      const problem = (error as Error).message;
      if (problem !== before) this.logger.error(`the agreement cannot be shown: ${problem}`);
      return (this.last = { takenAt, problem });
    }
  }

  private prepare(bytes: Buffer): Agreement {
    const before = this.last?.agreement;
    const answer = prepareAnswer(bytes, before?.answer);
    if (before?.answer === answer) return before;
    return { answer, policy: this.policyFor(bytes.toString()) };
  }

  /** Allows the file's own inline style sheets, by their digest, and nothing else. */
  private policyFor(html: string): string {
    // Browsers normalise line ends to \n before they compute the digest.
    const styles = html.replace(/\r\n?/g, '\n').matchAll(/<style\b[^>]*>(.*?)<\/style\s*>/gis);
    const digests = Array.from(styles, ([, css = '']) => {
      return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
    });
    const frontEnd = new URL(this.environment.FRONTEND_URL).origin;
    return [
      "default-src 'none'",
      `style-src ${digests.join(' ') || "'none'"}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors 'self' ${frontEnd}`,
    ].join('; ');
  }
}
