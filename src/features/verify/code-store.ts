import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, Entity, type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { IntColumn, TextColumn, TimeColumn } from '../../platform/database/columns.js';
import { Environment } from '../../platform/config/environment.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';

/** Holds the newest code for an e-mail address as a keyed hash. */
@Entity('verify')
export class VerificationCode {
  @TextColumn(254, { primary: true }) email: string;
  @TextColumn(64) code: string;
  @TextColumn(64, { default: '' }) askedBy: string;
  /** Counts attempts from the group in `askedBy`. `triesOfOthers` counts all others. */
  @IntColumn() tries: number;
  @IntColumn({ default: 0 }) triesOfOthers: number;
  @TimeColumn() expiresAt: Date;
  @TimeColumn({ nullable: true }) usedAt: Date | null;
}

// The front end reads these rules from `/api/config`.
export const CODE_DIGITS = 6;
export const CODE_VALID_SECONDS = 60;
const CODE_MAX_ATTEMPTS = 5;

const RETENTION_MS = 60 * 60 * 1000;

interface CodeAttempt {
  row: VerificationCode;
  count: 'tries' | 'triesOfOthers';
}

/** Stores the newest code for each e-mail address and counts attempts. `addressGroup` groups client addresses. */
@Injectable()
export class CodeStore {
  private readonly logger = new Logger(CodeStore.name);
  private readonly key: Buffer;

  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
    { JWT_SECRET }: Environment,
  ) {
    expiredRows.deleteAfter(RETENTION_MS, 'verify', 'expires_at');
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse e-mail code', 32));
  }

  async store(email: string, code: string, askedBy: string): Promise<void> {
    await this.dataSource.manager.upsert(
      VerificationCode,
      {
        email,
        code: this.hash(email, code),
        askedBy,
        tries: 0,
        triesOfOthers: 0,
        expiresAt: new Date(currentTime() + CODE_VALID_SECONDS * 1000),
        usedAt: null,
      },
      ['email'],
    );
  }

  /**
   * Takes one of the remaining attempts with a single statement before comparing the code, so that parallel requests
   * cannot exceed the limit. Strangers have their own counter, so they cannot invalidate the owner's code.
   */
  async takeAttempt(email: string, address: string): Promise<CodeAttempt | undefined> {
    const row = await this.dataSource.manager.findOneBy(VerificationCode, { email });
    if (!row) return undefined;
    const count = row.askedBy === address ? 'tries' : 'triesOfOthers';
    const where = { ...whereStillValid(row), [count]: LessThan(CODE_MAX_ATTEMPTS) };
    const { affected } = await this.dataSource.manager.increment(VerificationCode, where, count, 1);
    return affected === 1 ? { row, count } : undefined;
  }

  matches({ row }: CodeAttempt, code: string): boolean {
    return timingSafeEqual(Buffer.from(this.hash(row.email, code)), Buffer.from(row.code));
  }

  /** Returns false if the code has expired or another request has used it. */
  async consume(manager: EntityManager, { row }: CodeAttempt): Promise<boolean> {
    const { affected } = await manager.update(VerificationCode, whereStillValid(row), {
      usedAt: currentDate(),
    });
    return affected === 1;
  }

  async returnAttempt({ row, count }: CodeAttempt): Promise<void> {
    try {
      const where = { ...whereStillValid(row), [count]: MoreThan(0) };
      await this.dataSource.manager.decrement(VerificationCode, where, count, 1);
    } catch (error) {
      // The caller already has an error to report, so this one is only logged.
      this.logger.warn(`cannot undo a counted attempt at a code: ${(error as Error).message}`);
    }
  }

  private hash(email: string, code: string): string {
    return createHmac('sha256', this.key).update(`${email}\n${code}`).digest('hex');
  }
}

function whereStillValid({ email, code, askedBy }: VerificationCode) {
  return { email, code, askedBy, usedAt: IsNull(), expiresAt: MoreThan(currentDate()) };
}
