import type { DatabaseHost } from '../config/database-url.js';
import type { Writability } from './writability.js';

/**
 * What this process has seen of hosts without a quorum. After a failover an old primary may come back and accept writes
 * on old data, so that a withdrawal could be made twice. A host that was promoted was read-only first.
 */
export class HostHistory {
  private current?: DatabaseHost;
  /** Whether the current host was seen read-only before it was used. */
  private isPromoted = false;
  private readonly used = new Set<DatabaseHost>();
  /** Seen read-only since this process started or last used them. */
  private readonly seenReadOnly = new Set<DatabaseHost>();
  /** Accepted writes when they last answered. */
  private readonly open = new Set<DatabaseHost>();
  /** Accepted writes in the last check. */
  private openNow: DatabaseHost[] = [];
  /** Accepted writes in the same check, and were not seen read-only since. */
  private readonly rivals = new Set<DatabaseHost>();

  /** Processes the results of one check of all hosts. */
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
    // It is in use again: having been read-only before must not count after the next failover.
    if (only && !other && only === this.current && this.mayUse(only)) this.use(only);
  }

  use(host: DatabaseHost): void {
    const wasReadOnly = this.seenReadOnly.delete(host);
    if (wasReadOnly || host !== this.current) this.isPromoted = wasReadOnly;
    this.current = host;
    this.used.add(host);
  }

  /** The hosts that accepted writes at the same time, until one is read-only or only the last promoted one is left. */
  get conflict(): DatabaseHost[] {
    if (this.rivals.size === 0) return [];
    const [survivor, other] = this.openNow;
    return survivor && !other && this.wasPromotedLast(survivor) ? [] : [...this.rivals];
  }

  /** For a host that accepts writes: whether it cannot be an old primary, as far as this process knows. */
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
    // A rival that was read-only while this host was in use may have been promoted after it.
    return (
      wasPromoted &&
      ![...this.rivals].some((rival) => rival !== host && this.seenReadOnly.has(rival))
    );
  }
}
