import { createConnection } from 'mysql2/promise';
import type { DatabaseHost, DatabaseTarget } from '../config/database-url.js';
import { NoDatabaseConnection } from './database-errors.js';
import { type Writability, checkWritability } from './writability.js';

const TIMEOUT_MS = 1500;

/** The host of `DATABASE_URL` in use: one that took writes when last checked. */
export class PrimaryHost {
  current: DatabaseHost;

  constructor(
    private readonly target: DatabaseTarget,
    private readonly onWritableHosts: (names: string[]) => void = () => undefined,
  ) {
    [this.current] = target.hosts;
  }

  /** Chooses a host that takes writes: the current one, or the first in the order of the URL; a donor only if there is no other. */
  async find(): Promise<DatabaseHost> {
    const { hosts } = this.target;
    // A single host is used without a check; its own errors tell what is wrong.
    if (hosts.length === 1) return this.current;
    const results = await this.checkAll();
    const inOrder = [hosts.indexOf(this.current), ...hosts.keys()];
    const usable = inOrder.filter((place) => results[place]!.problem === undefined);
    const found = usable.find((place) => !results[place]!.isDonor) ?? usable[0];
    if (found === undefined) {
      const reasons = hosts.map((host, place) => `${formatHost(host)}: ${results[place]!.problem}`);
      throw new NoDatabaseConnection(new Error(`no host takes writes: ${reasons.join('; ')}`));
    }
    this.current = hosts[found]!;
    return this.current;
  }

  async checkAll(): Promise<Writability[]> {
    const { hosts } = this.target;
    const results = await Promise.all(hosts.map((host) => this.checkHost(host)));
    const writable = hosts.flatMap((host, place) => {
      const { problem, isClusterMember: isMember } = results[place]!;
      return problem === undefined ? [isMember ? 'the cluster' : formatHost(host)] : [];
    });
    this.onWritableHosts([...new Set(writable)]);
    return results;
  }

  /** Checks on a separate, time-limited connection: the pool may be full or its host dead. */
  private async checkHost(host: DatabaseHost): Promise<Writability> {
    const { user, password, ssl } = this.target;
    try {
      const connection = await createConnection({
        ...host,
        user,
        password,
        ssl,
        connectTimeout: TIMEOUT_MS,
      });
      connection.on('error', () => undefined);
      try {
        return await checkWritability(async (sql) => {
          const [rows] = await connection.query({ sql, timeout: TIMEOUT_MS });
          return rows;
        });
      } finally {
        connection.destroy();
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { problem: message || code || 'no answer' };
    }
  }
}

export function formatHost({ host, port }: DatabaseHost): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
