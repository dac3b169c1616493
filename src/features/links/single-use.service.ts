import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, Entity, type EntityManager } from 'typeorm';
import { TextColumn, TimeColumn } from '../../platform/database/columns.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';

@Entity('used_once')
export class UsedOnce {
  @TextColumn(43, { primary: true }) hash: string;
  @TimeColumn() expiresAt: Date;
}

// An instance with a slow clock may accept a token after its expiry, so the row is kept longer.
const CLOCK_MARGIN_MS = 60 * 60 * 1000;

/** Stores used OAuth states, tickets, challenges and signatures, so that each works only once on all instances. */
@Injectable()
export class SingleUseService {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(CLOCK_MARGIN_MS, 'used_once', 'expires_at');
  }

  /** Returns true on the first use. If a transaction's manager is passed, a rollback undoes the use. */
  async use(
    id: string,
    expiresAt: Date,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    const hash = createHash('sha256').update(id).digest('base64url');
    try {
      await manager.insert(UsedOnce, { hash, expiresAt });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
