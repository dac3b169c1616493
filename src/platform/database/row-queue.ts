import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseWaitTimeout } from './database-errors.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';
import { inTransaction } from './transaction.js';

/** Admits up to `places` callers at a time, in order of arrival, and rejects a caller that has waited for 2 s. */
export class FifoLock {
  private readonly waiting: Array<() => void> = [];
  private admitted = 0;

  constructor(private readonly places = 1) {}

  get isUnused(): boolean {
    return this.admitted === 0;
  }

  /** Resolves to a function that releases the lock. Calling that function twice is harmless. */
  async acquire(): Promise<() => void> {
    if (this.admitted < this.places) this.admitted++;
    else await this.wait();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.admitted--;
    };
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(new DatabaseWaitTimeout());
      }, CONNECTION_TIMEOUT_MS);
      this.waiting.push(enter);
    });
  }
}

/**
 * Ensures that only one request at a time writes to a player's rows, or to another busy row. If another session has
 * locked the row, only one connection waits for it, and the other requests wait in this queue for at most 2 s.
 */
@Injectable()
export class RowQueue {
  private readonly locks = new Map<string, FifoLock>();

  constructor(private readonly dataSource: DataSource) {}

  async run<T>(row: string, work: () => Promise<T>): Promise<T> {
    const lock = this.locks.get(row) ?? new FifoLock();
    this.locks.set(row, lock);
    const release = await lock.acquire();
    try {
      return await work();
    } finally {
      release();
      if (lock.isUnused) this.locks.delete(row);
    }
  }

  inTransaction<T>(row: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.run(row, () => inTransaction(this.dataSource, work));
  }
}
