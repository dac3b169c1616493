import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { HealthChecks } from '../../platform/health/health-checks.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import {
  type PreparedResponse,
  prepareResponse,
} from '../../platform/http/response/prepared-response.js';

class AgreementUnavailable extends AppError {
  constructor() {
    super('service_unavailable', 'The user agreement cannot be shown right now.');
  }
}

const FRESH_MS = 1000;

interface Agreement {
  answer: PreparedResponse;
  policy: string;
}

interface CachedRead {
  takenAt: number;
  agreement?: Agreement;
  problem?: string;
}

/** Reads the agreement from disk at most once a second. */
@Injectable()
export class AgreementService {
  private readonly logger = new Logger(AgreementService.name);
  private cached?: CachedRead;
  private loading?: Promise<CachedRead>;

  constructor(
    private readonly environment: Environment,
    health: HealthChecks,
  ) {
    health.add('agreement', async () => (await this.load()).agreement !== undefined);
  }

  async current(): Promise<Agreement> {
    const { agreement } = await this.load();
    if (!agreement) throw new AgreementUnavailable();
    return agreement;
  }

  private load(): Promise<CachedRead> | CachedRead {
    if (this.cached && performance.now() - this.cached.takenAt < FRESH_MS) return this.cached;
    this.loading ??= this.read().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async read(): Promise<CachedRead> {
    const takenAt = performance.now();
    const before = this.cached?.problem;
    try {
      const bytes = await readFile(this.environment.AGREEMENT_FILE);
      if (before !== undefined) this.logger.log('the agreement can be shown again');
      return (this.cached = { takenAt, agreement: this.prepare(bytes) });
    } catch (error) {
      const problem = (error as Error).message;
      if (problem !== before) this.logger.error(`the agreement cannot be shown: ${problem}`);
      return (this.cached = { takenAt, problem });
    }
  }

  private prepare(bytes: Buffer): Agreement {
    const before = this.cached?.agreement;
    const answer = prepareResponse(bytes, before?.answer);
    if (before?.answer === answer) return before;
    return { answer, policy: this.policyFor(bytes.toString()) };
  }

  /** Returns a content security policy that allows only the file's own inline style sheets, by their digests. */
  private policyFor(html: string): string {
    // Browsers normalise line endings to \n before they compute the digest.
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
