import { DatabaseWaitTimeout, isDatabaseUnavailable } from './database-errors.js';
import { CONNECTION_WAIT_MS, WHOLE_WAIT_MS } from './time-limits.js';

const STATEMENTS_AT_ONCE = 2;

/** How many requests wait for their statement to start. */
export interface Queue {
  waiting: number;
}

/** All batchers of the account database. */
export const accountQueue: Queue = { waiting: 0 };

interface Waiting<Asked, Answer> {
  asked: Asked;
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
  private waiting: Array<Waiting<Asked, Answer>> = [];
  private underWay = 0;
  private aboutToStart = false;
  private patience?: NodeJS.Timeout;

  constructor(
    private readonly answer: (asked: Asked[]) => Promise<Answer[]>,
    /** The most that goes into one statement, measured by `sizeOf`. */
    private readonly most: number,
    private readonly sizeOf: (asked: Asked) => number = () => 1,
    private readonly queue: Queue = accountQueue,
  ) {}

  submit(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, since: performance.now(), resolve, reject });
      this.queue.waiting++;
      if (this.aboutToStart) return;
      this.aboutToStart = true;
      setImmediate(() => this.startStatements());
    });
  }

  private startStatements(): void {
    this.aboutToStart = false;
    while (this.waiting.length > 0 && this.underWay < STATEMENTS_AT_ONCE)
      void this.answerSome(this.take(this.firstThatFit()));
    if (this.waiting.length > 0) this.beImpatient();
  }

  private firstThatFit(): number {
    let size = 0;
    const end = this.waiting.findIndex(({ asked }) => (size += this.sizeOf(asked)) > this.most);
    return end === -1 ? this.waiting.length : Math.max(1, end);
  }

  private async answerSome(some: Array<Waiting<Asked, Answer>>): Promise<void> {
    this.underWay++;
    const stop = failLate(some);
    try {
      const answers = await this.answer(some.map(({ asked }) => asked));
      for (const [place, { resolve }] of some.entries()) resolve(answers[place]!);
    } catch (error) {
      // If the database is gone, fail the waiting ones too: they would only time out in turn.
      const behind = isDatabaseUnavailable(error) ? this.take(this.waiting.length) : [];
      for (const { reject } of [...some, ...behind]) reject(error);
    } finally {
      stop();
    }
    this.underWay--;
    this.startStatements();
  }

  private take(count: number): Array<Waiting<Asked, Answer>> {
    this.queue.waiting -= count;
    return this.waiting.splice(0, count);
  }

  /** One timer for all: rejects those who waited too long and re-arms for the rest. */
  private beImpatient(): void {
    this.patience ??= setTimeout(() => {
      this.patience = undefined;
      const tooLongAgo = performance.now() - CONNECTION_WAIT_MS;
      const inTime = this.waiting.findIndex(({ since }) => since > tooLongAgo);
      const late = this.take(inTime === -1 ? this.waiting.length : inTime);
      for (const { reject } of late) reject(new DatabaseWaitTimeout());
      if (this.waiting.length > 0) this.beImpatient();
    }, this.timeLeft());
  }

  private timeLeft(): number {
    return Math.max(0, CONNECTION_WAIT_MS - (performance.now() - this.waiting[0]!.since));
  }
}

/** Fails each once its whole time is over, oldest first. One timer for all, until it is stopped. */
function failLate(some: Array<Pick<Waiting<unknown, unknown>, 'since' | 'reject'>>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let next = 0;
  const look = () => {
    if (isStopped) return;
    for (; next < some.length; next++) {
      const { since, reject } = some[next]!;
      const left = since + WHOLE_WAIT_MS - performance.now();
      if (left > 0) {
        // Timers run before sockets are read: an answer that has arrived comes first.
        timer = setTimeout(() => setImmediate(look), left);
        return;
      }
      reject(new DatabaseWaitTimeout());
    }
  };
  look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
