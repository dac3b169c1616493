import { createConnection } from 'mysql2/promise';
import type { DatabaseHost, DatabaseTarget } from '../config/database-url.js';
import { NoDatabaseConnection } from './database-errors.js';
import { HostHistory } from './host-history.js';
import { type Writability, checkWritability } from './writability.js';

const TIMEOUT_MS = 1500;

/** The host of `DATABASE_URL` in use: one that accepted writes when last checked. */
export class PrimaryHost {
  current: DatabaseHost;
  /** The hosts that accepted writes when last checked. The nodes of a cluster count as one. */
  writableHosts: string[] = [];
  private readonly history = new HostHistory();
  private checking?: Promise<Writability[]>;

  constructor(private readonly target: DatabaseTarget) {
    [this.current] = target.hosts;
  }

  get hasAlternatives(): boolean {
    return this.target.hosts.length > 1;
  }

  /** Set while it is unclear which of the hosts that accept writes has the newest data. */
  get conflict(): string | undefined {
    if (this.writableHosts.length > 1)
      return `${this.writableHosts.join(' and ')} take writes, each for itself: set read_only on all but the primary`;
    const rivals = this.history.conflict.map(formatHost);
    if (rivals.length === 0) return undefined;
    return `${rivals.join(' or ')} may be an old primary, because both took writes: set read_only on all but the primary`;
  }

  /**
   * Chooses a host that accepts writes: the current one, or the first in the order of the URL; a donor only if there is
   * no other.
   */
  async find(): Promise<DatabaseHost> {
    const { hosts } = this.target;
    // A single host is used without a check; its own errors say what is wrong.
    if (!this.hasAlternatives) return this.current;
    const results = await this.checkAll();
    if (this.conflict) throw new NoDatabaseConnection(new Error(this.conflict));
    const problems = hosts.map((host, place) => this.findProblem(host, results[place]!));
    const inOrder = [hosts.indexOf(this.current), ...hosts.keys()];
    const usable = inOrder.filter((place) => problems[place] === undefined);
    const found = usable.find((place) => !results[place]!.isDonor) ?? usable[0];
    if (found === undefined) {
      const reasons = hosts.map((host, place) => `${formatHost(host)}: ${problems[place]}`);
      throw new NoDatabaseConnection(new Error(`no host takes writes: ${reasons.join('; ')}`));
    }
    this.current = hosts[found]!;
    this.history.use(this.current);
    return this.current;
  }

  /** One check at a time: an older one that ends later would hide the result of a newer one. */
  checkAll(): Promise<Writability[]> {
    this.checking ??= this.checkHosts().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async checkHosts(): Promise<Writability[]> {
    const { hosts } = this.target;
    const results = await Promise.all(hosts.map((host) => this.checkHost(host)));
    const plain = new Map<DatabaseHost, Writability>();
    const writable = hosts.flatMap((host, place) => {
      const { problem, isClusterMember } = results[place]!;
      if (!isClusterMember) plain.set(host, results[place]!);
      return problem === undefined ? [isClusterMember ? 'the cluster' : formatHost(host)] : [];
    });
    this.history.note(plain);
    this.writableHosts = [...new Set(writable)];
    return results;
  }

  private findProblem(
    host: DatabaseHost,
    { problem, isClusterMember }: Writability,
  ): string | undefined {
    if (problem !== undefined || isClusterMember || this.history.mayUse(host)) return problem;
    return 'takes writes, but may be an old primary, because it was not seen read-only before';
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
        const writability = await checkWritability(async (sql) => {
          const [rows] = await connection.query({ sql, timeout: TIMEOUT_MS });
          return rows;
        });
        // Without its QUIT, the server would log an aborted connection each second.
        await connection.end();
        return writability;
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
