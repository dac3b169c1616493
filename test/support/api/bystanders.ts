import { type Connection, createConnection } from 'mysql2/promise';
import { expect } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { PASSWORD } from '../accounts.js';
import type { TestApp } from './app.js';
import { createPlayer, tokenOf } from './factories.js';
import { times } from './parallel.js';

const AT_ONCE = 10;
const ROUNDS = 12;

/**
 * A round does not count if a probe in it took longer than this while the process, which runs the service and the
 * tests, was idle for more than half of the round. The machine then stalled, so that a request of several statements
 * could exceed the service's limit of 2 s without any fault.
 */
const STALL_MS = 1000;
const MOST_STALLS = 30;

/** Tolerates a busy machine, but reveals a request that waits 2 s for a connection. */
const MARGIN_MS = 1000;

interface Measurement {
  /** Describes each request that did not succeed, by its index in its round. */
  failures: string[];
  p99: number;
  slowest: number;
  /**
   * This is the p99 of probes, which use neither locks nor queues of the service, and show how slow the machine was.
   */
  probe: number;
}

/** Compares measurements without and with a fault. Allows for a machine that became slower in between. */
export function expectNoDelay(normal: Measurement, during: Measurement): void {
  expect([...normal.failures, ...during.failures]).toEqual([]);
  const slowdown = Math.max(1, during.probe / normal.probe);
  const detail = `p99 ${Math.round(normal.p99)} → ${Math.round(during.p99)} ms, probe ${Math.round(normal.probe)} → ${Math.round(during.probe)} ms`;
  expect(during.p99, detail).toBeLessThan(2 * slowdown * normal.p99 + MARGIN_MS);
}

/** Holds players that a fault should not affect, and measures how long they wait during the fault. */
export class Bystanders {
  private address = 0;

  private constructor(
    private readonly service: TestApp,
    private readonly players: Player[],
    /** Bypasses the service's pool. */
    private readonly probeConnection: Connection,
  ) {}

  static async create(service: TestApp): Promise<Bystanders> {
    const players = await Promise.all(times(AT_ONCE, () => createPlayer(service)));
    const connection = await createConnection(service.app.get(Environment).DATABASE_URL!);
    await connection.query('CREATE TABLE IF NOT EXISTS probe (id INT AUTO_INCREMENT PRIMARY KEY)');
    return new Bystanders(service, players, connection);
  }

  stop(): void {
    this.probeConnection.destroy();
  }

  /** Sends requests in parallel, many times over, and runs a given function at the start of each round. */
  async measure(
    request: (index: number) => Promise<number>,
    startRound: () => void = () => undefined,
  ): Promise<Measurement> {
    const failures: string[] = [];
    const [durations, probes] = [[] as number[], [] as number[]];
    let stalls = 0;
    for (let round = 0; round < ROUNDS;) {
      const [began, usedBefore] = [performance.now(), process.cpuUsage()];
      startRound();
      const sent = Promise.all(times(AT_ONCE, (index) => timed(() => request(index))));
      const probed = await this.probeUntil(sent);
      const requests = await sent;
      const { user, system } = process.cpuUsage(usedBefore);
      const wasIdle = (user + system) / 1000 < (performance.now() - began) / 2;
      if (wasIdle && Math.max(...probed) > STALL_MS) {
        if (++stalls > MOST_STALLS) throw new Error('the machine is too slow to measure anything');
        continue;
      }
      round++;
      probes.push(...probed);
      durations.push(...requests.map(({ ms }) => ms));
      for (const [index, { result, ms }] of requests.entries())
        if (result !== 200)
          failures.push(
            `request ${index} of round ${round}: ${result} after ${Math.round(ms)} ms, slowest probe ${Math.round(Math.max(...probed))} ms`,
          );
    }
    return {
      failures,
      p99: p99Of(durations),
      slowest: Math.max(...durations),
      probe: p99Of(probes),
    };
  }

  /** Logs in from an address that is new for the account, so that the address is stored too. */
  async logIn(account: string): Promise<number> {
    const number = this.address++;
    const from = `10.9.${number >> 8}.${number & 255}`;
    const body = { account, password: PASSWORD };
    return (await this.service.client.post('/api/login', body, { from })).status;
  }

  async enter(index: number, server: number): Promise<number> {
    const token = this.tokenOf(index);
    const body = { server_id: server };
    return (await this.service.client.post('/api/enter_game', body, { token })).status;
  }

  logInOrEnter(index: number, server: number): Promise<number> {
    return index % 2 === 0 ? this.logIn(this.players[index]!.account) : this.enter(index, server);
  }

  async logInOrRead(index: number): Promise<number> {
    if (index % 2 === 0) return this.logIn(this.players[index]!.account);
    return (await this.service.client.get('/api/sessions', { token: this.tokenOf(index) })).status;
  }

  /** Sends probes until the work ends, at least one, and returns their durations. */
  private async probeUntil(work: Promise<unknown>): Promise<number[]> {
    const durations: number[] = [];
    const loop = { isRunning: true };
    const end = () => (loop.isRunning = false);
    work.then(end, end);
    while (loop.isRunning) {
      const probed = await Promise.all(times(AT_ONCE, () => timed(() => this.probe())));
      durations.push(...probed.map(({ ms }) => ms));
    }
    return durations;
  }

  private async probe(): Promise<void> {
    await this.service.client.get('/api/health/live');
    await this.probeConnection.query('SELECT COUNT(*) FROM player');
    await this.probeConnection.query('INSERT INTO probe () VALUES ()');
  }

  private tokenOf(index: number): string {
    return tokenOf(this.service, this.players[index]!);
  }
}

/** Sends each client's request again as soon as the previous one has finished. */
export class PersistentClients {
  readonly statuses: number[] = [];
  private readonly pending = new Map<number, Promise<void>>();

  constructor(
    private readonly count: number,
    private readonly send: (index: number) => Promise<number>,
  ) {}

  /** Sends the request of every client that is not waiting for a response. */
  sendAll(): void {
    for (let index = 0; index < this.count; index++)
      if (!this.pending.has(index)) this.pending.set(index, this.sendOne(index));
  }

  async finish(): Promise<void> {
    await Promise.all(this.pending.values());
  }

  private async sendOne(index: number): Promise<void> {
    this.statuses.push(await this.send(index));
    this.pending.delete(index);
  }
}

/** The server refreshes its table of transactions only if it has not been read for 100 ms. */
export const COUNT_WAITING_EVERY_MS = 150;

/** Counts the connections of the service that wait for a locked row. */
export async function countWaiting({ database }: TestApp): Promise<number> {
  const [row] = await database.query(
    `SELECT COUNT(*) AS waiting FROM information_schema.innodb_trx t
     JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
     WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
  );
  return Number(row.waiting);
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}

function p99Of(durations: number[]): number {
  const sorted = durations.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1]!;
}
