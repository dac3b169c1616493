import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteOldRows } from '../database/old-rows.js';

const EVERY_MS = 10 * 60 * 1000;
const KEPT_MS = 60 * 60 * 1000;

/** Removes codes that have long expired. */
@Injectable()
export class VerifyCleanUp implements OnApplicationShutdown {
  private readonly logger = new Logger(VerifyCleanUp.name);
  private readonly timer = setInterval(() => void this.run(), EVERY_MS).unref();

  constructor(private readonly dataSource: DataSource) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async run(): Promise<void> {
    try {
      await deleteOldRows(this.dataSource, 'verify', 'expires_at', Date.now() - KEPT_MS);
    } catch (error) {
      this.logger.warn(`old codes stay for now: ${(error as Error).message}`);
    }
  }
}
