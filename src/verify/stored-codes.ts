import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { Environment } from '../config/environment.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { CODE_MOST_TRIES, CODE_VALID_SECONDS } from './code-rules.js';
import { Verify } from './verify.entity.js';

const KEPT_MS = 60 * 60 * 1000;

/** A try that is counted already. */
export interface CodeTry {
  row: Verify;
  /** The count that it was taken from. */
  count: 'tries' | 'triesOfOthers';
}

/** The newest code of each mailbox, and who has tried it how often. Addresses are groups of `addressGroup`. */
@Injectable()
export class StoredCodes {
  private readonly logger = new Logger(StoredCodes.name);
  private readonly key: Buffer;

  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRows,
    { JWT_SECRET }: Environment,
  ) {
    expiredRows.deleteAfter(KEPT_MS, 'verify', 'expires_at');
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse e-mail code', 32));
  }

  async store(email: string, code: string, askedBy: string): Promise<void> {
    await this.dataSource.manager.upsert(
      Verify,
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
   * Takes one of the tries that the address has, in one statement and before anything is compared: of many at once
   * only as many as are left are looked at. Strangers have a count of their own, so they void no code of the owner.
   */
  async takeTry(email: string, address: string): Promise<CodeTry | undefined> {
    const row = await this.dataSource.manager.findOneBy(Verify, { email });
    if (!row) return undefined;
    const count = row.askedBy === address ? 'tries' : 'triesOfOthers';
    const where = { ...inForce(row), [count]: LessThan(CODE_MOST_TRIES) };
    const { affected } = await this.dataSource.manager.increment(Verify, where, count, 1);
    return affected === 1 ? { row, count } : undefined;
  }

  isRight({ row }: CodeTry, code: string): boolean {
    return timingSafeEqual(Buffer.from(this.hash(row.email, code)), Buffer.from(row.code));
  }

  /** False where somebody else has used it, or its time is up. */
  async use(manager: EntityManager, { row }: CodeTry): Promise<boolean> {
    const { affected } = await manager.update(Verify, inForce(row), { usedAt: new Date() });
    return affected === 1;
  }

  async giveBack({ row, count }: CodeTry): Promise<void> {
    try {
      const where = { ...inForce(row), [count]: MoreThan(0) };
      await this.dataSource.manager.decrement(Verify, where, count, 1);
    } catch (error) {
      // The caller has an error of its own to tell.
      this.logger.warn(`a try of a code was not given back: ${(error as Error).message}`);
    }
  }

  private hash(email: string, code: string): string {
    return createHmac('sha256', this.key).update(`${email}\n${code}`).digest('hex');
  }
}

function inForce({ email, code, askedBy }: Verify) {
  return { email, code, askedBy, usedAt: IsNull(), expiresAt: MoreThan(new Date()) };
}
