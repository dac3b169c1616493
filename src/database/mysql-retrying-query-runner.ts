import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { retryConflicts } from './transaction.js';

/** Runs a lone statement again where another transaction was first: it is a transaction of its own, and was undone whole. */
export class MysqlRetryingQueryRunner extends MysqlQueryRunner {
  override query<T = unknown>(
    query: string,
    parameters?: unknown[],
    useStructuredResult?: boolean,
  ): Promise<T> {
    const run = () => super.query(query, parameters, useStructuredResult) as Promise<T>;
    if (this.isTransactionActive) return run();
    let tries = 0;
    return retryConflicts(() => {
      if (tries++ > 0) this.takeAnotherConnection();
      return run();
    });
  }

  /** The one at hand may have been destroyed for what it met. */
  private takeAnotherConnection(): void {
    (this.databaseConnection as { release(): void } | undefined)?.release();
    Object.assign(this, { databaseConnection: undefined, databaseConnectionPromise: undefined });
  }
}
