import { Cluster } from 'ioredis';
import type { RedisClient } from './redis-client.js';

// A counter is asked on every request: a Redis that takes longer than this is treated as gone.
const PATIENCE_MS = 500;
const LOOK_EVERY_MS = 100;
const RECONNECT_EVERY_MS = 1000;
const SLOTS = 16384;
// Enough keys that every master of a cluster owns one.
const CANDIDATES = Array.from({ length: 512 }, (_, number) => `probe:${number}`);

interface Probing {
  /** Counts something under this key, as the counters do. */
  count: (key: string) => Promise<unknown>;
  keyInRedis: (key: string) => string;
  up: () => void;
  down: (failure: unknown) => void;
}

/**
 * Has every master count something, all the time: PING proves nothing, since a replica answers it too. A Redis that
 * hangs keeps its connections; ours are dropped, so that everyone counts in memory at once.
 *
 * The time-outs of ioredis would also drop a Redis that has answered while we were too busy to read it, since timers
 * run before sockets are read. A flood of guesses could then be counted by each instance for itself.
 */
export class RedisProbe {
  private readonly timer: NodeJS.Timeout;
  private readonly slots: number[];
  private askedAt?: number;
  private reconnectedAt = 0;

  constructor(
    private readonly client: RedisClient,
    private readonly probing: Probing,
  ) {
    this.slots = CANDIDATES.map((key) => slotOf(probing.keyInRedis(key)));
    if (!(client instanceof Cluster))
      client.on('connect', () => (this.askedAt = performance.now()));
    client.on('ready', () => this.ask());
    client.on('close', () => (this.askedAt = undefined));
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** What is there takes no counts: a new connection may lead to a server that does. */
  reconnect(): void {
    const now = performance.now();
    if (this.client.status !== 'ready' || now - this.reconnectedAt < RECONNECT_EVERY_MS) return;
    this.reconnectedAt = now;
    this.client.disconnect(true);
  }

  private look(): void {
    const asked = this.askedAt;
    // A fail-over that is told of while ioredis asks the sentinels ends its connecting for good.
    if (this.client.status === 'end') this.client.connect().catch(() => undefined);
    else if (asked === undefined) {
      if (this.client.status === 'ready') this.ask();
    } else if (performance.now() - asked > PATIENCE_MS) {
      // After pending answers were read.
      setImmediate(() => this.askedAt === asked && this.drop());
    }
  }

  private ask(): void {
    const asked = (this.askedAt = performance.now());
    const answered = (tell: () => void) => {
      if (this.askedAt !== asked) return;
      this.askedAt = undefined;
      tell();
    };
    Promise.all(this.keys().map((key) => this.probing.count(key))).then(
      () => answered(() => this.probing.up()),
      (failure: unknown) => answered(() => this.probing.down(failure)),
    );
  }

  /** One for each master. */
  private keys(): string[] {
    if (!(this.client instanceof Cluster)) return ['probe'];
    const { slots } = this.client;
    const ofMaster = new Map(CANDIDATES.map((key, n) => [slots[this.slots[n]!]?.[0], key]));
    return [...ofMaster.values()];
  }

  private drop(): void {
    this.askedAt = undefined;
    this.probing.down(new Error(`it did not answer within ${PATIENCE_MS} ms`));
    const { client } = this;
    if (!(client instanceof Cluster)) return void client.stream?.destroy();
    for (const { stream } of client.nodes()) stream?.destroy();
    client.disconnect(true);
  }
}

/** The slot of a key in a Redis Cluster: CRC-16 (XMODEM). */
export function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}
