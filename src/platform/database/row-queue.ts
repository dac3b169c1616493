import { Injectable } from '@nestjs/common';
import { DatabaseWaitTimeout } from './database-errors.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

const AT_ONCE = 3;

interface Queue {
  running: number;
  waiting: Array<() => void>;
}

/**
 * Lets three requests at a time write to the same row, so that requests waiting for a locked row never hold all
 * connections, for example while an operator's transaction is open.
 */
@Injectable()
export class RowQueue {
  private readonly queues = new Map<string, Queue>();

  async run<T>(row: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(row) ?? { running: 0, waiting: [] };
    this.queues.set(row, queue);
    if (queue.running >= AT_ONCE) await turnIn(queue);
    else queue.running++;
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else if (--queue.running === 0) this.queues.delete(row);
    }
  }
}

/** Resolves when a finished request passes its slot on. */
function turnIn(queue: Queue): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.waiting.splice(queue.waiting.indexOf(start), 1);
      reject(new DatabaseWaitTimeout());
    }, CONNECTION_TIMEOUT_MS);
    queue.waiting.push(start);
  });
}
