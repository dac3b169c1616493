import { Injectable } from '@nestjs/common';
import { FifoLock } from './fifo-lock.js';

const AT_ONCE = 3;

/**
 * Lets three requests at a time write to the same row, so that requests waiting for a locked row never hold all
 * connections, for example while an operator's transaction is open.
 */
@Injectable()
export class RowQueue {
  private readonly locks = new Map<string, FifoLock>();

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
}
