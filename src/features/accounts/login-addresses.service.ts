import { Injectable } from '@nestjs/common';
import { DataSource, Entity, type EntityManager } from 'typeorm';
import { IntColumn, TextColumn, TimeColumn } from '../../platform/database/columns.js';
import { DAY_MS } from '../../platform/config/time.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { NewDeviceMail } from './new-device-mail.js';

@Entity('login_address')
export class LoginAddress {
  @IntColumn({ primary: true }) playerId: number;
  @TextColumn(64, { primary: true }) address: string;
  @TimeColumn() seenAt: Date;
}

// An address counts as known for 30 days. The extra day is needed because a second login within a day is not stored.
export const KNOWN_ADDRESS_MS = 31 * DAY_MS;
export const RECENTLY_SEEN_MS = DAY_MS;

/** Stores the addresses from which each account was logged in to during the last 30 days. */
@Injectable()
export class LoginAddressesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly newDeviceMail: NewDeviceMail,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(KNOWN_ADDRESS_MS, 'login_address', 'seen_at');
  }

  /** Stores the address of a sign-in with a ticket or a code, and mails the owner if the address is new. */
  record(playerId: number, context: RequestContext): Promise<void> {
    return this.attempt(context, async (address) => {
      const known = await this.dataSource.manager.findOneBy(LoginAddress, { playerId, address });
      if (known && currentTime() - known.seenAt.getTime() < RECENTLY_SEEN_MS) return;
      await this.storeQueued(playerId, address);
      if (!known) this.newDeviceMail.announce(playerId, context);
    });
  }

  /** Stores the address of a password login. The login itself has already checked whether the address is new. */
  remember(playerId: number, context: RequestContext): Promise<void> {
    return this.attempt(context, (address) => this.storeQueued(playerId, address));
  }

  /** Stores the address in the caller's transaction. */
  async store(manager: EntityManager, playerId: number, address: string): Promise<void> {
    const row = { playerId, address, seenAt: currentDate() };
    await manager.upsert(LoginAddress, row, ['playerId', 'address']);
  }

  private storeQueued(playerId: number, address: string): Promise<void> {
    return this.rowQueue.run(`player ${playerId}`, () =>
      this.store(this.dataSource.manager, playerId, address),
    );
  }

  /** Logs a failure instead of throwing, because the sign-in itself has succeeded. */
  private async attempt(
    context: RequestContext,
    store: (address: string) => Promise<void>,
  ): Promise<void> {
    try {
      await store(addressGroup(context.address));
    } catch (error) {
      requestLog(context.requestId, LoginAddressesService.name).warn(
        `a login address could not be recorded: ${(error as Error).message}`,
      );
    }
  }
}
