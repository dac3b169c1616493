import { createConnection } from 'mysql2/promise';
import type { DatabaseHost, DatabaseServers } from '../config/database-url.js';
import { NoDatabaseConnection } from './database-errors.js';
import { type Writability, writabilityOf } from './writability.js';

const PATIENCE_MS = 1500;

/** The host of `DATABASE_URL` in use: one that took writes when last checked. */
export class PrimaryHost {
  current: DatabaseHost;

  constructor(
    private readonly servers: DatabaseServers,
    private readonly onPrimaries: (names: string[]) => void = () => undefined,
  ) {
    [this.current] = servers.hosts;
  }

  /** Chooses a host that takes writes: the current one, or the first in the order of the URL; a donor only if there is no other. */
  async find(): Promise<DatabaseHost> {
    const { hosts } = this.servers;
    // A single host is used without a check; its own errors tell what is wrong.
    if (hosts.length === 1) return this.current;
    const looks = await this.look();
    const inOrder = [hosts.indexOf(this.current), ...hosts.keys()];
    const usable = inOrder.filter((place) => looks[place]!.problem === undefined);
    const found = usable.find((place) => !looks[place]!.isDonor) ?? usable[0];
    if (found === undefined) {
      const reasons = hosts.map((host, place) => `${nameOf(host)}: ${looks[place]!.problem}`);
      throw new NoDatabaseConnection(new Error(`no host takes writes: ${reasons.join('; ')}`));
    }
    this.current = hosts[found]!;
    return this.current;
  }

  async look(): Promise<Writability[]> {
    const { hosts } = this.servers;
    const looks = await Promise.all(hosts.map((host) => this.lookAt(host)));
    const open = hosts.flatMap((host, place) => {
      const { problem, isMember } = looks[place]!;
      return problem === undefined ? [isMember ? 'the cluster' : nameOf(host)] : [];
    });
    this.onPrimaries([...new Set(open)]);
    return looks;
  }

  /** Checks on a separate, time-limited connection: the pool may be full or its host dead. */
  private async lookAt(host: DatabaseHost): Promise<Writability> {
    const { user, password, ssl } = this.servers;
    try {
      const connection = await createConnection({
        ...host,
        user,
        password,
        ssl,
        connectTimeout: PATIENCE_MS,
      });
      connection.on('error', () => undefined);
      try {
        return await writabilityOf(async (sql) => {
          const [rows] = await connection.query({ sql, timeout: PATIENCE_MS });
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

export function nameOf({ host, port }: DatabaseHost): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
