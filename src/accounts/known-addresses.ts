import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { deleteOldRows } from '../database/old-rows.js';
import { LoginAddress } from './login-address.entity.js';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const CLEAN_UP_EVERY_MS = 60 * 60 * 1000;

/** The addresses that accounts were logged in from in the last 30 days. */
@Injectable()
export class KnownAddresses implements OnApplicationShutdown {
  private readonly logger = new Logger(KnownAddresses.name);
  private readonly timer = setInterval(() => void this.cleanUp(), CLEAN_UP_EVERY_MS).unref();

  constructor(private readonly dataSource: DataSource) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
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

  private async cleanUp(): Promise<void> {
    try {
      await deleteOldRows(this.dataSource, 'login_address', 'seen_at', Date.now() - KEPT_MS);
    } catch (error) {
      this.logger.warn(`old login addresses stay for now: ${(error as Error).message}`);
    }
  }
}
