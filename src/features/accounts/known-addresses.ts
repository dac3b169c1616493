import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { LoginAddress } from './login-address.entity.js';

// 30 days, plus one: a further login within a day is not stored again.
export const KNOWN_ADDRESS_MS = 31 * 24 * 60 * 60 * 1000;
export const RECENTLY_SEEN_MS = 24 * 60 * 60 * 1000;

/** The addresses that accounts were logged in from in the last 30 days. */
@Injectable()
export class KnownAddresses {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(KNOWN_ADDRESS_MS, 'login_address', 'seen_at');
  }

  /** Remembers it unless that was done within the day. True where it is new. */
  async rememberUnlessRecent(playerId: number, address: string): Promise<boolean> {
    const known = await this.dataSource.manager.findOneBy(LoginAddress, { playerId, address });
    if (known && Date.now() - known.seenAt.getTime() < RECENTLY_SEEN_MS) return false;
    await this.remember(playerId, address);
    return known === null;
  }

  async remember(
    playerId: number,
    address: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await manager.upsert(LoginAddress, { playerId, address, seenAt: new Date() }, [
      'playerId',
      'address',
    ]);
  }
}
