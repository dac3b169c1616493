import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { FifoLock } from './fifo-lock.js';
import { inTransaction } from './transaction.js';

const AT_ONCE = 3;

/**
 * Lets three requests at a time write to the same row, so that requests waiting for a locked row never hold all
 * connections, for example while an operator's transaction is open.
 */
@Injectable()
export class RowQueue {
  private readonly locks = new Map<string, FifoLock>();

  constructor(private readonly dataSource: DataSource) {}

  async run<T>(row: string, work: () => Promise<T>): Promise<T> {
    const lock = this.locks.get(row) ?? new FifoLock(AT_ONCE);
    this.locks.set(row, lock);
    const release = await lock.acquire();
    try {
      return await work();
    } finally {
      release();
      if (lock.isFree) this.locks.delete(row);
    }
  }

  inTransaction<T>(row: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.run(row, () => inTransaction(this.dataSource, work));
  }
}
