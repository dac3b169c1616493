import type { ConnectionOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { log } from '../log/log.js';
import { DatabaseWaitTimeout, NoDatabaseConnection } from './database-errors.js';
import { type ConnectionSettings, PooledConnection } from './pooled-connection.js';
import {
  CONNECTION_TIMEOUT_MS,
  IDLE_TIMEOUT_SECONDS,
  STATEMENT_TIMEOUT_MS,
} from './time-limits.js';

// Well before the server's wait_timeout, so that nobody gets a connection that is about to end.
const MAX_IDLE_MS = (IDLE_TIMEOUT_SECONDS * 1000) / 2;
const IDLE_CHECK_MS = 5000;

/** `lock` may wait for a row that another transaction holds: a transaction, or a lone UPDATE or DELETE. */
export type Use = 'read' | 'insert' | 'lock';

export interface PoolSettings extends ConnectionSettings {
  connections: number;
  /** How many connections inserts and locks may use at once, so that a locked table leaves some to reads. */
  writes: number;
  /** How many of these locks may use at once, so that locked rows and tables leave some to the inserts of logins. */
  locks: number;
  /** Why every write must be refused for now. */
  writeProblem?: () => string | undefined;
}

interface Waiter {
  use: Use;
  resolve: (connection: PooledConnection) => void;
  reject: (error: Error) => void;
  timer?: NodeJS.Timeout;
  isOver: boolean;
}

/** Connections to one database server. Nobody waits longer than 2 s for one. */
export class MysqlPool {
  /** Connections to the current host; any other is destroyed on release. */
  private readonly current = new Set<PooledConnection>();
  private idle: PooledConnection[] = [];
  private waiters: Waiter[] = [];
  private opening = 0;
  private readonly inUse: Record<Use, number> = { read: 0, insert: 0, lock: 0 };
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

  /** Runs `work` with a connection and releases it afterwards. */
  async use<T>(use: Use, work: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire(use);
    try {
      return await work(connection);
    } finally {
      this.release(connection, use);
    }
  }

  acquire(use: Use): Promise<PooledConnection> {
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

  release(connection: PooledConnection, use: Use): void {
    this.inUse[use]--;
    if (this.onDrained) void this.close(connection);
    else if (connection.isOpen && this.current.has(connection)) {
      connection.idleSince = performance.now();
      this.idle.push(connection);
    } else this.drop(connection);
    this.serve();
  }

  /** Sends new connections to this host. */
  switchTo({ host, port }: DatabaseHost): void {
    this.options = { ...this.options, host, port };
    for (const connection of this.idle) connection.destroy();
    this.idle = [];
    this.current.clear();
    this.serve();
  }

  /** Closes each connection after its statement. All statements have then ended, timed out or been given up. */
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
    while (true) {
      const place = this.waiters.findIndex(({ use }) => this.mayStart(use));
      if (place === -1) return;
      const connection = this.takeIdle();
      if (!connection && this.current.size + this.opening >= this.settings.connections) return;
      const [waiter] = this.waiters.splice(place, 1) as [Waiter];
      this.inUse[waiter.use]++;
      if (connection) finish(waiter).resolve(connection);
      else void this.openFor(waiter);
    }
  }

  private mayStart(use: Use): boolean {
    const { insert, lock } = this.inUse;
    if (use === 'lock' && lock >= this.settings.locks) return false;
    return use === 'read' || insert + lock < this.settings.writes;
  }

  private takeIdle(): PooledConnection | undefined {
    for (let connection; (connection = this.idle.pop()); this.drop(connection))
      if (connection.isOpen) return connection;
    return undefined;
  }

  private async openFor(waiter: Waiter): Promise<void> {
    const { options } = this;
    this.opening++;
    try {
      const connection = await PooledConnection.open(options, this.settings);
      if (options === this.options) this.current.add(connection);
      if (waiter.isOver) this.release(connection, waiter.use);
      else finish(waiter).resolve(connection);
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
    const isStale = ({ isOpen, idleSince }: PooledConnection) => !isOpen || idleSince < stale;
    for (const connection of this.idle.filter(isStale)) void this.close(connection);
    this.idle = this.idle.filter((connection) => this.current.has(connection));
  }

  private async close(connection: PooledConnection): Promise<void> {
    if (!this.onDrained) this.current.delete(connection);
    await connection.close();
    this.current.delete(connection);
    this.checkDrained();
  }

  private drop(connection: PooledConnection): void {
    this.current.delete(connection);
    connection.destroy();
  }

  private checkDrained(): void {
    if (this.current.size + this.opening === 0) this.onDrained?.();
  }
}

/** Marks the waiter as served or rejected. */
function finish(waiter: Waiter): Waiter {
  clearTimeout(waiter.timer);
  waiter.isOver = true;
  return waiter;
}
