import cluster from 'node:cluster';
import {
  RateLimiterCompatibleAbstract,
  RateLimiterMemory,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

const REQUEST = 'gatehouse:counts?';
const ANSWER = 'gatehouse:counts';
const PATIENCE_MS = 1000;

interface Ask {
  step: 'penalty' | 'set' | 'delete';
  args: unknown[];
}

interface CountRequest {
  type: typeof REQUEST;
  id: number;
  asks: Ask[];
}

interface CountAnswer {
  type: typeof ANSWER;
  id: number;
  results: unknown[];
}

interface Waiting {
  ask: Ask;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** In the primary: keeps the counts of its workers, which bring keys, points and durations along. */
export function answerCountRequests(): void {
  const counts = new RateLimiterMemory({ keyPrefix: '', points: 0, duration: 0 });
  const take = ({ step, args }: Ask) =>
    (counts[step] as (...args: unknown[]) => Promise<unknown>).apply(counts, args);
  cluster.on('message', (worker, { type, id, asks }: CountRequest) => {
    if (type !== REQUEST) return;
    void Promise.all(asks.map(take)).then((results) =>
      worker.send({ type: ANSWER, id, results } satisfies CountAnswer),
    );
  });
}

/**
 * In a worker: the way to the counts in the primary. What is asked for in the same turn of the event loop goes in one
 * message: each costs both sides some 50 µs, a third of a request.
 */
export class LineToPrimary {
  private ofThisTurn: Waiting[] = [];
  private readonly underWay = new Map<number, { asked: Waiting[]; patience: NodeJS.Timeout }>();
  private lastId = 0;

  constructor() {
    process.on('message', ({ type, id, results }: CountAnswer) => {
      if (type !== ANSWER) return;
      for (const [place, { resolve }] of this.end(id).entries()) resolve(results[place]);
    });
  }

  ask(ask: Ask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.ofThisTurn.push({ ask, resolve, reject }) === 1) setImmediate(() => this.send());
    });
  }

  private send(): void {
    const asked = this.ofThisTurn;
    this.ofThisTurn = [];
    const id = ++this.lastId;
    const fail = (error: Error) => {
      for (const { reject } of this.end(id)) reject(error);
    };
    const late = () => fail(new Error('the primary process did not answer in time'));
    // After what has arrived in the meantime was read: timers run before that.
    const patience = setTimeout(() => setImmediate(late), PATIENCE_MS);
    this.underWay.set(id, { asked, patience });
    const asks = asked.map(({ ask }) => ask);
    process.send!({ type: REQUEST, id, asks } satisfies CountRequest, (error: Error | null) => {
      if (error) fail(error);
    });
  }

  /** Those who wait for it, unless they have been told already. */
  private end(id: number): Waiting[] {
    const { asked, patience } = this.underWay.get(id) ?? { asked: [] };
    clearTimeout(patience);
    this.underWay.delete(id);
    return asked;
  }
}

/** In a worker: counts that the primary keeps. */
export class LimiterOfPrimary extends RateLimiterCompatibleAbstract {
  override readonly keyPrefix: string;
  override blockDuration = 0;
  override execEvenly = false;
  private readonly blocked: number;

  constructor(
    { keyPrefix, points }: { keyPrefix: string; points: number },
    private readonly line: LineToPrimary,
  ) {
    super();
    this.keyPrefix = keyPrefix;
    this.blocked = points + 1;
  }

  override penalty(key: string, points: number, options?: object): Promise<RateLimiterRes> {
    return this.ask('penalty', key, points, options) as Promise<RateLimiterRes>;
  }

  override block(key: string, seconds: number): Promise<RateLimiterRes> {
    return this.ask('set', key, this.blocked, seconds) as Promise<RateLimiterRes>;
  }

  override delete(key: string): Promise<boolean> {
    return this.ask('delete', key) as Promise<boolean>;
  }

  private ask(step: Ask['step'], key: string, ...more: unknown[]): Promise<unknown> {
    return this.line.ask({ step, args: [`${this.keyPrefix}:${key}`, ...more] });
  }
}
