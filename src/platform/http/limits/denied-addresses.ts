import { Injectable } from '@nestjs/common';
import { DataSource, Entity, MoreThan, PrimaryColumn } from 'typeorm';
import { BackgroundJobs } from '../../database/background-jobs.js';
import { TextColumn, TimeColumn } from '../../database/columns.js';
import { currentDate } from '../../database/database-clock.js';
import { isDatabaseUnavailable, isNotYetConnected } from '../../database/database-errors.js';
import { AddressList } from '../request/address.js';
import { IpDenyGuard } from './ip-deny.guard.js';

const READ_EVERY_MS = 1000;

/** Stores an address that an operator blocked. The migration explains each column. */
@Entity('denied_address')
export class DeniedAddress {
  /** The address is an IPv4 address or an IPv6 network. */
  @PrimaryColumn({ type: 'varchar', length: 49 }) address: string;
  @TextColumn(1000) note: string;
  @TextColumn(64) createdBy: string;
  @TimeColumn() createdAt: Date;
  @TimeColumn() until: Date;
}

/**
 * Adds the blocked addresses to `deny_ip` on every instance of the service, but not at the desk, so that operators
 * cannot lock themselves out. The last list stays in force while the database is down.
 */
@Injectable()
export class DeniedAddresses {
  private entries: string[] = [];

  constructor(
    private readonly dataSource: DataSource,
    jobs: BackgroundJobs,
    guard: IpDenyGuard,
  ) {
    jobs.every(READ_EVERY_MS, 'read denied_address', () => this.read());
    guard.addList((address) => AddressList.of(this.entries).has(address));
  }

  async read(): Promise<void> {
    try {
      const where = { until: MoreThan(currentDate()) };
      const rows = await this.dataSource.manager.findBy(DeniedAddress, where);
      this.entries = rows.map(({ address }) => address);
    } catch (error) {
      // Other parts of the service log the outage.
      if (!isDatabaseUnavailable(error) && !isNotYetConnected(error, this.dataSource)) throw error;
    }
  }
}
