import type { ConnectionOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { log } from '../log/log.js';
import { DatabaseWaitTimeout, NoDatabaseConnection } from './database-errors.js';
import { type ConnectionSettings, MysqlConnection } from './mysql-connection.js';
import {
  CONNECTION_TIMEOUT_MS,
  IDLE_TIMEOUT_SECONDS,
  STATEMENT_TIMEOUT_MS,
} from './time-limits.js';

// This time is well below the server's wait_timeout, so that no caller gets a connection that is about to close.
const MAX_IDLE_MS = (IDLE_TIMEOUT_SECONDS * 1000) / 2;
const IDLE_CHECK_MS = 5000;
// A write that takes this long probably waits for a locked row.
const STUCK_MS = 50;

/**
 * Says what a connection is used for. A transaction or a single UPDATE or DELETE uses `lock`, because it may wait for a
 * locked row.
 */
export type Use = 'read' | 'insert' | 'lock';

export interface PoolSettings extends ConnectionSettings {
  connections: number;
  /** Limits the connections for inserts and locks, so that a locked table leaves some connections for reads. */
  writes: number;
  /** Limits the connections for locks, so that locked rows and tables leave some connections for login inserts. */
  locks: number;
  /**
   * Limits the writes that wait for a locked row without counting against the limits above, because such a write uses
   * only its connection. Few wait for the same row, because other writes to it wait in a queue (`row-queue.ts`).
   */
  spare?: number;
  /** Returns why every write must currently be rejected, or undefined. */
  writeProblem?: () => string | undefined;
}

interface Waiter {
  use: Use;
  resolve: (connection: MysqlConnection) => void;
  reject: (error: Error) => void;
  timer?: NodeJS.Timeout;
  isOver: boolean;
}

/** Holds the connections to one database server. Callers wait at most 2 s for a connection. */
export class MysqlPool {
  /** Contains the connections to the current host. Any other connection is destroyed on release. */
  private readonly current = new Set<MysqlConnection>();
  private idle: MysqlConnection[] = [];
  private waiters: Waiter[] = [];
  private opening = 0;
  private readonly inUse: Record<Use, number> = { read: 0, insert: 0, lock: 0 };
  /** Maps each connection in use for a write to the time when that use began. */
  private readonly writing = new Map<MysqlConnection, number>();
  private stuckTimer?: NodeJS.Timeout;
  private onDrained?: () => void;
  private readonly idleCheck: NodeJS.Timeout;

  constructor(
    private options: ConnectionOptions,
    private readonly settings: PoolSettings,
  ) {
    this.idleCheck = setInterval(() => this.closeIdle(), IDLE_CHECK_MS).unref();
  }

  get counts(): Record<'used' | 'free' | 'waiting', number> {
    const free = this.idle.length;
    return { used: this.current.size - free, free, waiting: this.waiters.length };
  }

  async use<T>(use: Use, work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire(use);
    try {
      return await work(connection);
    } finally {
      this.release(connection, use);
    }
  }

  acquire(use: Use): Promise<MysqlConnection> {
    const problem = use === 'read' ? undefined : this.settings.writeProblem?.();
    if (problem !== undefined) return Promise.reject(new NoDatabaseConnection(new Error(problem)));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { use, resolve, reject, isOver: false };
      this.waiters.push(waiter);
      this.serve();
      if (waiter.isOver) return;
      waiter.timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        finish(waiter).reject(new DatabaseWaitTimeout());
      }, this.settings.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS);
    });
  }

  release(connection: MysqlConnection, use: Use): void {
    this.inUse[use]--;
    this.writing.delete(connection);
    const isSpare = this.current.size > this.settings.connections + this.countStuck();
    if (this.onDrained || isSpare) void this.close(connection);
    else if (connection.isOpen && this.current.has(connection)) {
      connection.idleSince = performance.now();
      this.idle.push(connection);
    } else this.drop(connection);
    this.serve();
  }

  /** Opens new connections to this host from now on. */
  switchTo({ host, port }: DatabaseHost): void {
    this.options = { ...this.options, host, port };
    for (const connection of this.idle) connection.destroy();
    this.idle = [];
    this.current.clear();
    this.serve();
  }

  /** Closes each connection after its current statement has finished or timed out. */
  end(): Promise<void> {
    clearInterval(this.idleCheck);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        log.warn('connection closed before the server confirmed QUIT');
        for (const connection of this.current) connection.destroy();
        resolve();
      }, STATEMENT_TIMEOUT_MS);
      this.onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
      this.serve();
      for (const connection of this.idle) void this.close(connection);
      this.idle = [];
      this.checkDrained();
    });
  }

  private serve(): void {
    if (this.onDrained) {
      const closed = new NoDatabaseConnection(new Error('the pool is closed'));
      for (const waiter of this.waiters.splice(0)) finish(waiter).reject(closed);
    }
    const stuck = this.countStuck();
    while (true) {
      const place = this.waiters.findIndex(({ use }) => this.mayStart(use, stuck));
      if (place === -1) break;
      const connection = this.takeIdle();
      if (!connection && this.current.size + this.opening >= this.settings.connections + stuck)
        break;
      const [waiter] = this.waiters.splice(place, 1) as [Waiter];
      this.inUse[waiter.use]++;
      if (connection) this.give(connection, waiter);
      else void this.openFor(waiter);
    }
    if (this.waiters.length === 0 || this.settings.spare === undefined) return;
    this.stuckTimer ??= setTimeout(() => {
      this.stuckTimer = undefined;
      this.serve();
    }, STUCK_MS).unref();
  }

  private mayStart(use: Use, stuck: number): boolean {
    const { insert, lock } = this.inUse;
    if (use === 'lock' && lock - stuck >= this.settings.locks) return false;
    return use === 'read' || insert + lock - stuck < this.settings.writes;
  }

  private countStuck(): number {
    const { spare = 0 } = this.settings;
    const before = performance.now() - STUCK_MS;
    let stuck = 0;
    for (const since of this.writing.values()) if (since < before && stuck < spare) stuck++;
    return stuck;
  }

  private give(connection: MysqlConnection, waiter: Waiter): void {
    if (waiter.use !== 'read') this.writing.set(connection, performance.now());
    finish(waiter).resolve(connection);
  }

  private takeIdle(): MysqlConnection | undefined {
    for (let connection; (connection = this.idle.pop()); this.drop(connection))
      if (connection.isOpen) return connection;
    return undefined;
  }

  private async openFor(waiter: Waiter): Promise<void> {
    const { options } = this;
    this.opening++;
    try {
      const connection = await MysqlConnection.open(options, this.settings);
      if (options === this.options) this.current.add(connection);
      if (waiter.isOver) this.release(connection, waiter.use);
      else this.give(connection, waiter);
    } catch (error) {
      this.inUse[waiter.use]--;
      if (!waiter.isOver) finish(waiter).reject(new NoDatabaseConnection(error as Error));
    } finally {
      this.opening--;
      this.serve();
      this.checkDrained();
    }
  }

  private closeIdle(): void {
    const stale = performance.now() - MAX_IDLE_MS;
    const isStale = ({ isOpen, idleSince }: MysqlConnection) => !isOpen || idleSince < stale;
    for (const connection of this.idle.filter(isStale)) void this.close(connection);
    this.idle = this.idle.filter((connection) => this.current.has(connection));
  }

  private async close(connection: MysqlConnection): Promise<void> {
    if (!this.onDrained) this.current.delete(connection);
    await connection.close();
    this.current.delete(connection);
    this.checkDrained();
  }

  private drop(connection: MysqlConnection): void {
    this.current.delete(connection);
    connection.destroy();
  }

  private checkDrained(): void {
    if (this.current.size + this.opening === 0) this.onDrained?.();
  }
}

function finish(waiter: Waiter): Waiter {
  clearTimeout(waiter.timer);
  waiter.isOver = true;
  return waiter;
}
