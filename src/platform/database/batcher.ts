import { DatabaseWaitTimeout, isDatabaseUnavailable } from './database-errors.js';
import { CONNECTION_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from './time-limits.js';

const STATEMENTS_AT_ONCE = 2;

/** How many requests of all batchers wait for their statement to start. */
export const accountDatabaseQueue = { waiting: 0 };

interface PendingRequest<Asked, Answer> {
  request: Asked;
  since: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches the requests of one tick, or made while statements run, into one statement: the busier the service, the less
 * each costs. A request fails after waiting 2 s for its statement to start, or 5 s in all: its statement waits for a
 * connection too.
 */
export class Batcher<Asked, Answer> {
  private waiting: Array<PendingRequest<Asked, Answer>> = [];
  private running = 0;
  private isScheduled = false;
  private timeout?: NodeJS.Timeout;

  constructor(
    private readonly runStatement: (asked: Asked[]) => Promise<Answer[]>,
    /** The most that goes into one statement, measured by `sizeOf`. */
    private readonly maxSize: number,
    private readonly sizeOf: (asked: Asked) => number = () => 1,
  ) {}

  submit(request: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, since: performance.now(), resolve, reject });
      accountDatabaseQueue.waiting++;
      if (this.isScheduled) return;
      this.isScheduled = true;
      setImmediate(() => this.startStatements());
    });
  }

  private startStatements(): void {
    this.isScheduled = false;
    while (this.waiting.length > 0 && this.running < STATEMENTS_AT_ONCE)
      void this.runBatch(this.take(this.nextBatchSize()));
    if (this.waiting.length > 0) this.armTimeout();
  }

  private nextBatchSize(): number {
    let size = 0;
    const end = this.waiting.findIndex(
      ({ request: asked }) => (size += this.sizeOf(asked)) > this.maxSize,
    );
    return end === -1 ? this.waiting.length : Math.max(1, end);
  }

  private async runBatch(batch: Array<PendingRequest<Asked, Answer>>): Promise<void> {
    this.running++;
    const stop = rejectOverdue(batch);
    try {
      const answers = await this.runStatement(batch.map(({ request: asked }) => asked));
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place]!);
    } catch (error) {
      // If the database is gone, fail the waiting ones too: they would only time out in turn.
      const behind = isDatabaseUnavailable(error) ? this.take(this.waiting.length) : [];
      for (const { reject } of [...batch, ...behind]) reject(error);
    } finally {
      stop();
    }
    this.running--;
    this.startStatements();
  }

  private take(count: number): Array<PendingRequest<Asked, Answer>> {
    accountDatabaseQueue.waiting -= count;
    return this.waiting.splice(0, count);
  }

  /** One timer for all: rejects requests that waited too long and re-arms for the rest. */
  private armTimeout(): void {
    this.timeout ??= setTimeout(() => {
      this.timeout = undefined;
      const tooLongAgo = performance.now() - CONNECTION_TIMEOUT_MS;
      const inTime = this.waiting.findIndex(({ since }) => since > tooLongAgo);
      const late = this.take(inTime === -1 ? this.waiting.length : inTime);
      for (const { reject } of late) reject(new DatabaseWaitTimeout());
      if (this.waiting.length > 0) this.armTimeout();
    }, this.timeLeft());
  }

  private timeLeft(): number {
    return Math.max(0, CONNECTION_TIMEOUT_MS - (performance.now() - this.waiting[0]!.since));
  }
}

/** Fails each request when its time is over, oldest first. One timer for all, until it is stopped. */
function rejectOverdue(
  pending: Array<Pick<PendingRequest<unknown, unknown>, 'since' | 'reject'>>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let next = 0;
  const check = () => {
    if (isStopped) return;
    for (; next < pending.length; next++) {
      const { since, reject } = pending[next]!;
      const left = since + TOTAL_TIMEOUT_MS - performance.now();
      if (left > 0) {
        // Timers run before sockets are read: an answer that has arrived comes first.
        timer = setTimeout(() => setImmediate(check), left);
        return;
      }
      reject(new DatabaseWaitTimeout());
    }
  };
  check();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
