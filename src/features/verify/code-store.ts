import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { CODE_MAX_ATTEMPTS, CODE_VALID_SECONDS } from './code-rules.js';
import { VerificationCode } from './verification-code.entity.js';

const RETENTION_MS = 60 * 60 * 1000;

/** A try that has already been counted. */
export interface CodeAttempt {
  row: VerificationCode;
  /** The count it was added to. */
  count: 'tries' | 'triesOfOthers';
}

/** The newest code of each mailbox, and how often each address has tried it. Addresses are groups of `addressGroup`. */
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
        expiresAt: new Date(Date.now() + CODE_VALID_SECONDS * 1000),
        usedAt: null,
      },
      ['email'],
    );
  }

  /**
   * Takes one of the address's remaining tries in one statement, before anything is compared: of many parallel tries
   * only the remaining ones are compared. Strangers have a separate count, so they cannot void the owner's code.
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

  /** False if somebody else has used it or it has expired. */
  async consume(manager: EntityManager, { row }: CodeAttempt): Promise<boolean> {
    const { affected } = await manager.update(VerificationCode, whereStillValid(row), {
      usedAt: new Date(),
    });
    return affected === 1;
  }

  async returnAttempt({ row, count }: CodeAttempt): Promise<void> {
    try {
      const where = { ...whereStillValid(row), [count]: MoreThan(0) };
      await this.dataSource.manager.decrement(VerificationCode, where, count, 1);
    } catch (error) {
      // The caller reports its own error.
      this.logger.warn(`cannot undo a counted try of a code: ${(error as Error).message}`);
    }
  }

  private hash(email: string, code: string): string {
    return createHmac('sha256', this.key).update(`${email}\n${code}`).digest('hex');
  }
}

function whereStillValid({ email, code, askedBy }: VerificationCode) {
  return { email, code, askedBy, usedAt: IsNull(), expiresAt: MoreThan(new Date()) };
}
