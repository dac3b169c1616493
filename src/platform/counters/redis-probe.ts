import { Cluster } from 'ioredis';
import type { RedisClient } from './redis-client.js';

// Every request uses a counter, so the service treats a Redis that takes longer than this as down.
const TIMEOUT_MS = 500;
const CHECK_EVERY_MS = 100;
const RECONNECT_EVERY_MS = 1000;
const SLOTS = 16384;
// With this many keys, every master of a cluster has at least one.
const CANDIDATES = Array.from({ length: 512 }, (_, number) => `probe:${number}`);

interface ProbeCallbacks {
  /** Counts a point under this key, as the counters do. */
  count: (key: string) => Promise<unknown>;
  redisKey: (key: string) => string;
  up: () => void;
  down: (failure: unknown) => void;
}

/**
 * Continuously counts on every master, because a replica responds to PING too. A hanging Redis keeps its connections
 * open, so the probe drops them and the service counts in memory. ioredis's own timeouts are not used. Because timers
 * run before sockets are read, they would also drop a Redis whose responses a busy process has not read yet, and each
 * instance would count alone during a flood of guesses.
 */
export class RedisProbe {
  private readonly timer: NodeJS.Timeout;
  private readonly slots: number[];
  private sentAt?: number;
  private reconnectedAt = 0;

  constructor(
    private readonly client: RedisClient,
    private readonly callbacks: ProbeCallbacks,
  ) {
    this.slots = CANDIDATES.map((key) => clusterSlot(callbacks.redisKey(key)));
    if (!(client instanceof Cluster)) client.on('connect', () => (this.sentAt = performance.now()));
    client.on('ready', () => this.probe());
    client.on('close', () => (this.sentAt = undefined));
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reconnects if the server accepts no counts, because a new connection may reach one that does. */
  reconnect(): void {
    const now = performance.now();
    if (this.client.status !== 'ready' || now - this.reconnectedAt < RECONNECT_EVERY_MS) return;
    this.reconnectedAt = now;
    this.client.disconnect(true);
  }

  private check(): void {
    const sentAt = this.sentAt;
    // A failover announced while ioredis queries the sentinels would permanently stop ioredis from connecting.
    if (this.client.status === 'end') this.client.connect().catch(() => undefined);
    else if (sentAt === undefined) {
      if (this.client.status === 'ready') this.probe();
    } else if (performance.now() - sentAt > TIMEOUT_MS) {
      // setImmediate() runs after pending responses have been read.
      setImmediate(() => this.sentAt === sentAt && this.drop());
    }
  }

  private probe(): void {
    const sentAt = (this.sentAt = performance.now());
    const answered = (notify: () => void) => {
      if (this.sentAt !== sentAt) return;
      this.sentAt = undefined;
      notify();
    };
    Promise.all(this.keys().map((key) => this.callbacks.count(key))).then(
      () => answered(() => this.callbacks.up()),
      (failure: unknown) => answered(() => this.callbacks.down(failure)),
    );
  }

  /** Returns one key for each master. */
  private keys(): string[] {
    if (!(this.client instanceof Cluster)) return ['probe'];
    const { slots } = this.client;
    const ofMaster = new Map(CANDIDATES.map((key, n) => [slots[this.slots[n]!]?.[0], key]));
    return [...ofMaster.values()];
  }

  private drop(): void {
    this.sentAt = undefined;
    this.callbacks.down(new Error(`it did not answer within ${TIMEOUT_MS} ms`));
    const { client } = this;
    if (!(client instanceof Cluster)) return void client.stream?.destroy();
    for (const { stream } of client.nodes()) stream?.destroy();
    client.disconnect(true);
  }
}

/** Returns the slot of a key in a Redis Cluster, which is its CRC-16 (XMODEM). */
function clusterSlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}
