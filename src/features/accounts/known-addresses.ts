import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { LoginAddress } from './login-address.entity.js';

// 30 days, plus one: a further login within a day is not stored again.
export const KNOWN_ADDRESS_MS = 31 * DAY_MS;
export const RECENTLY_SEEN_MS = DAY_MS;

/** The addresses that accounts were logged in from in the last 30 days. */
@Injectable()
export class KnownAddresses {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(KNOWN_ADDRESS_MS, 'login_address', 'seen_at');
  }

  /** Stores the address unless that was done within a day. True if it is new. */
  async rememberUnlessRecent(playerId: number, address: string): Promise<boolean> {
    const known = await this.dataSource.manager.findOneBy(LoginAddress, { playerId, address });
    if (known && Date.now() - known.seenAt.getTime() < RECENTLY_SEEN_MS) return false;
    await this.remember(playerId, address);
    return known === null;
  }

  /** Outside a transaction three at a time, so that a locked table leaves connections to everybody else. */
  async remember(playerId: number, address: string, manager?: EntityManager): Promise<void> {
    const upsert = async (writer: EntityManager) => {
      const row = { playerId, address, seenAt: new Date() };
      await writer.upsert(LoginAddress, row, ['playerId', 'address']);
    };
    if (manager) await upsert(manager);
    else await this.rowQueue.run('login_address', () => upsert(this.dataSource.manager));
  }
}
