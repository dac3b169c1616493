import { Injectable } from '@nestjs/common';
import type { DatabaseHost } from '../config/database-url.js';
import { Environment } from '../config/environment.js';
import { timeLimitedDriver } from './data-source.js';
import type { MysqlDriver } from './mysql-driver.js';
import { PrimaryHost } from './primary-host.js';

/** The hosts of the account database and the pool that connects to one of them. Empty with the embedded database. */
@Injectable()
export class AccountDatabaseHosts {
  /** Called when the server refused a statement because it accepts no writes. */
  onWriteRefused: () => void = () => undefined;

  readonly driver?: MysqlDriver;
  readonly primary?: PrimaryHost;

  constructor({ accountDatabase }: Environment) {
    if (!accountDatabase) return;
    const primary = new PrimaryHost(accountDatabase);
    this.primary = primary;
    this.driver = timeLimitedDriver(() => primary.current, {
      writeProblem: () => primary.conflict,
      onWriteRefused: () => this.onWriteRefused(),
    });
  }

  /** Switches to a host that accepts writes. Returns it if it is a different one. */
  async failOver(): Promise<DatabaseHost | undefined> {
    if (!this.primary) return undefined;
    const before = this.primary.current;
    const host = await this.primary.find();
    if (host === before) return undefined;
    this.driver?.pool?.switchTo(host);
    return host;
  }

  /** Drops all connections: the same name may point to another server by now. */
  reconnect(): void {
    if (this.primary) this.driver?.pool?.switchTo(this.primary.current);
  }
}
