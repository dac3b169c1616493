import { Injectable } from '@nestjs/common';
import type { DatabaseHost } from '../config/database-url.js';
import { Environment } from '../config/environment.js';
import { BoundedMysql } from './bounded-mysql.js';
import { PrimaryHost } from './primary-host.js';

/** The hosts of the account database and the pool that connects to one of them. Empty with the embedded database. */
@Injectable()
export class AccountServers {
  /** Called when the server refused a statement because it takes no writes. */
  onRefused: () => void = () => undefined;
  /** Called with the hosts that take writes, whenever all were checked. The nodes of a cluster are one. */
  onPrimaries: (names: string[]) => void = () => undefined;

  readonly driver?: BoundedMysql;
  private readonly primary?: PrimaryHost;

  constructor({ servers }: Environment) {
    if (!servers) return;
    const primary = new PrimaryHost(servers, (names) => this.onPrimaries(names));
    this.primary = primary;
    this.driver = new BoundedMysql(
      () => primary.current,
      () => this.onRefused(),
    );
  }

  /** Finds the host for the first connection. */
  async find(): Promise<DatabaseHost | undefined> {
    return this.primary?.find();
  }

  /** Switches to a host that takes writes. Returns it if it is a different one. */
  async moveOn(): Promise<DatabaseHost | undefined> {
    if (!this.primary) return undefined;
    const before = this.primary.current;
    const host = await this.primary.find();
    if (host === before) return undefined;
    this.driver?.moveTo(host);
    return host;
  }

  /** Checks all hosts, and uses the same one as before. */
  async look(): Promise<void> {
    await this.primary?.look();
  }

  /** Drops all connections: the same name may point to another server by now. */
  reconnect(): void {
    if (this.primary) this.driver?.moveTo(this.primary.current);
  }
}
