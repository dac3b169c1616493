import { createConnection } from 'mysql2/promise';
import type { DatabaseHost, DatabaseTarget } from '../config/database-url.js';
import { NoDatabaseConnection } from './database-errors.js';
import { checkWritability, type Writability } from './writability.js';

const TIMEOUT_MS = 1500;

/**
 * Remembers the states in which hosts were seen. Where no quorum decides, an old primary may come back after a failover
 * and accept writes on old data, so a withdrawal could be made twice. A promoted host was read-only before its
 * promotion.
 */
export class HostHistory {
  private current?: DatabaseHost;
  /** This is true if the current host was read-only before it was used. */
  private isPromoted = false;
  private readonly used = new Set<DatabaseHost>();
  /** Contains hosts that have been read-only since this process started or last used them. */
  private readonly seenReadOnly = new Set<DatabaseHost>();
  /** Contains hosts that accepted writes when they last responded. */
  private readonly open = new Set<DatabaseHost>();
  /** Contains hosts that accepted writes in the last check. */
  private openNow: DatabaseHost[] = [];
  /** Contains hosts that accepted writes in the same check and have not been read-only since. */
  private readonly rivals = new Set<DatabaseHost>();

  note(check: ReadonlyMap<DatabaseHost, Writability>): void {
    this.openNow = [];
    for (const [host, { problem, isReadOnly }] of check) {
      if (problem === undefined) this.openNow.push(host);
      if (isReadOnly) this.noteReadOnly(host);
    }
    for (const host of this.openNow) {
      this.open.add(host);
      if (this.openNow.length > 1) this.rivals.add(host);
    }
    if (this.rivals.size === 1) this.rivals.clear();
    const [only, other] = this.openNow;
    // The host is in use again, so an earlier read-only state must not count after the next failover.
    if (only && !other && only === this.current && this.mayUse(only)) this.use(only);
  }

  use(host: DatabaseHost): void {
    const wasReadOnly = this.seenReadOnly.delete(host);
    if (wasReadOnly || host !== this.current) this.isPromoted = wasReadOnly;
    this.current = host;
    this.used.add(host);
  }

  /** Returns the rival hosts. The conflict ends when only the most recently promoted one accepts writes. */
  get conflict(): DatabaseHost[] {
    if (this.rivals.size === 0) return [];
    const [survivor, other] = this.openNow;
    return survivor && !other && this.wasPromotedLast(survivor) ? [] : [...this.rivals];
  }

  /** Returns whether a host that accepts writes cannot be an old primary, as far as this process knows. */
  mayUse(host: DatabaseHost): boolean {
    if (this.conflict.length > 0) return false;
    if (host === this.current || this.seenReadOnly.has(host)) return true;
    return this.open.size === 1 && !this.used.has(host);
  }

  private noteReadOnly(host: DatabaseHost): void {
    this.open.delete(host);
    this.rivals.delete(host);
    this.seenReadOnly.add(host);
  }

  private wasPromotedLast(host: DatabaseHost): boolean {
    const wasPromoted = this.seenReadOnly.has(host) || (host === this.current && this.isPromoted);
    // A rival that was read-only while this host was in use may have been promoted later than this host.
    return (
      wasPromoted &&
      ![...this.rivals].some((rival) => rival !== host && this.seenReadOnly.has(rival))
    );
  }
}

/** Chooses a host of `DATABASE_URL` that accepted writes in the last check. */
export class PrimaryHost {
  current: DatabaseHost;
  /** Contains hosts that accepted writes in the last check. The nodes of a cluster count as one host. */
  writableHosts: string[] = [];
  private readonly history = new HostHistory();
  private checking?: Promise<Writability[]>;

  constructor(private readonly target: DatabaseTarget) {
    [this.current] = target.hosts;
  }

  get hasAlternatives(): boolean {
    return this.target.hosts.length > 1;
  }

  /** Describes the conflict while it is unclear which of several writable hosts has the newest data. */
  get conflict(): string | undefined {
    if (this.writableHosts.length > 1)
      return `${this.writableHosts.join(' and ')} accept writes independently: set read_only on all but the primary`;
    const rivals = this.history.conflict.map(formatHost);
    if (rivals.length === 0) return undefined;
    return `${rivals.join(' or ')} may be an old primary, because both accepted writes: set read_only on all but the primary`;
  }

  /**
   * Returns the current host if it accepts writes, or else the first such host in the URL. It returns a donor only if
   * no other host accepts writes.
   */
  async find(): Promise<DatabaseHost> {
    const { hosts } = this.target;
    // A single host is used without a check, because its own errors describe the problem.
    if (!this.hasAlternatives) return this.current;
    const results = await this.checkAll();
    if (this.conflict) throw new NoDatabaseConnection(new Error(this.conflict));
    const problems = hosts.map((host, place) => this.findProblem(host, results[place]!));
    const inOrder = [hosts.indexOf(this.current), ...hosts.keys()];
    const usable = inOrder.filter((place) => problems[place] === undefined);
    const found = usable.find((place) => !results[place]!.isDonor) ?? usable[0];
    if (found === undefined) {
      const reasons = hosts.map((host, place) => `${formatHost(host)}: ${problems[place]}`);
      throw new NoDatabaseConnection(new Error(`no host accepts writes: ${reasons.join('; ')}`));
    }
    this.current = hosts[found]!;
    this.history.use(this.current);
    return this.current;
  }

  /** Runs one check at a time, because an older check could otherwise end later and hide a newer result. */
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
    return 'accepts writes, but may be an old primary, because it was not seen read-only before';
  }

  /** Uses a separate connection with a time limit, because the pool may be full or its host down. */
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
        // Without a QUIT, the server would log an aborted connection every second.
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
