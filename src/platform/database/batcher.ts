import type { DataSource } from 'typeorm';
import { DatabaseWaitTimeout, isDatabaseUnavailable } from './database-errors.js';
import { selectRows } from './sql.js';
import { CONNECTION_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from './time-limits.js';

const STATEMENTS_AT_ONCE = 2;

/** Limits the SELECTs in a statement. If one statement held all requests, the process would be idle while it runs. */
export const MAX_UNION_SELECTS = 8;

/** Counts the requests of all batchers that wait for their statements to start. */
export const accountDatabaseQueue = { waiting: 0 };

interface PendingRequest<Asked, Answer> {
  request: Asked;
  since: number;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches the requests that arrive in one tick, or while statements run, into one statement, so that the cost per
 * request falls as the load rises. A request fails after waiting 2 s for its statement to start, or after 5 s in total,
 * because the statement also waits for a connection.
 */
export class Batcher<Asked, Answer> {
  private waiting: Array<PendingRequest<Asked, Answer>> = [];
  private running = 0;
  private isScheduled = false;
  private timeout?: NodeJS.Timeout;

  constructor(
    /** Resolves to the results, or to promises of results that take longer. */
    private readonly runStatement: (asked: Asked[]) => Promise<Array<Answer | Promise<Answer>>>,
    /** Limits the size of one statement, as measured by `sizeOf`. */
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
      for (const [place, { resolve, reject }] of batch.entries()) {
        const answer = answers[place]!;
        // The promise needs a handler even if the request has already been rejected, because an unhandled error would
        // end the process.
        if (answer instanceof Promise) answer.then(resolve, reject);
        else resolve(answer);
      }
    } catch (error) {
      // If the database is unavailable, the waiting requests fail too, because they would only time out in turn.
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

  /** Starts one timer for all requests. It rejects overdue requests and is started again for the rest. */
  private armTimeout(): void {
    this.timeout ??= setTimeout(
      () => {
        this.timeout = undefined;
        const tooLongAgo = performance.now() - CONNECTION_TIMEOUT_MS;
        const inTime = this.waiting.findIndex(({ since }) => since > tooLongAgo);
        const late = this.take(inTime === -1 ? this.waiting.length : inTime);
        for (const { reject } of late) reject(new DatabaseWaitTimeout());
        if (this.waiting.length > 0) this.armTimeout();
      },
      CONNECTION_TIMEOUT_MS - (performance.now() - this.waiting[0]!.since),
    );
  }
}

/** Rejects each request when its time is over, oldest first. Returns a function that stops the timer. */
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
        // Timers run before sockets are read, but a response that has already arrived must be processed first.
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

/** Finds single rows by a unique key for the busiest queries. It batches concurrent lookups into one statement. */
export class BatchedLookup<Row extends object> {
  private readonly batcher: Batcher<unknown[], Row | undefined>;

  /** Takes the columns and the FROM clause, including WHERE, of a single lookup. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly columns: string,
    private readonly from: string,
  ) {
    this.batcher = new Batcher((requests) => this.findAll(requests), MAX_UNION_SELECTS);
  }

  find(...values: unknown[]): Promise<Row | undefined> {
    return this.batcher.submit(values);
  }

  private async findAll(requests: unknown[][]): Promise<Array<Row | undefined>> {
    const selects = requests.map(() => `${this.columns} ${this.from}`);
    const rows = await selectRows<Row>(this.dataSource.manager, unionAll(selects), requests.flat());
    return groupRowsBySelect(rows, requests.length).map(([row]) => row);
  }
}

/** Joins SELECTs that are given without the word SELECT. A row's `place` tells which SELECT it belongs to. */
function unionAll(selects: string[]): string {
  return selects.map((select, place) => `SELECT ${place} AS place, ${select}`).join(' UNION ALL ');
}

/** Returns the rows of each SELECT. MySQL types integer literals as BIGINT, which the driver returns as text. */
export function groupRowsBySelect<Row extends { place?: unknown }>(
  rows: Row[],
  places: number,
): Row[][] {
  const sorted: Row[][] = Array.from({ length: places }, () => []);
  for (const row of rows) sorted[Number(row.place)]!.push(row);
  return sorted;
}
