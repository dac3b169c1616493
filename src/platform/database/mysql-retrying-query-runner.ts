import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { retryConflicts } from './transaction.js';

/** Retries a lone statement after a conflict: it is a transaction of its own and was rolled back whole. */
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

  /** The current one may have been destroyed because of the error. */
  private takeAnotherConnection(): void {
    (this.databaseConnection as { release(): void } | undefined)?.release();
    Object.assign(this, { databaseConnection: undefined, databaseConnectionPromise: undefined });
  }
}
