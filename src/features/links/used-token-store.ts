import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { UsedOnce } from './used-once.entity.js';

// An instance whose clock is behind still accepts what has expired here, so the row must stay a while longer.
const CLOCK_MARGIN_MS = 60 * 60 * 1000;

/** Records for all instances which states, tickets, challenges and signatures were used, until they expire. */
@Injectable()
export class UsedTokenStore {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(CLOCK_MARGIN_MS, 'used_once', 'expires_at');
  }

  /** True on first use. With the manager of a transaction, a rollback undoes the use. */
  async use(
    id: string,
    expiresAt: Date,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    try {
      await manager.insert(UsedOnce, { hash: hashOf(id), expiresAt });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
