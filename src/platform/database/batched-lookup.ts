import type { DataSource } from 'typeorm';
import { Batcher } from './batcher.js';
import { selectRows } from './statement.js';
import { MAX_UNION_SELECTS, groupRowsBySelect, unionAll } from './union.js';

/** Finds single rows by a unique key and batches concurrent lookups into one statement. For the busiest queries. */
export class BatchedLookup<Row extends object> {
  private readonly batcher: Batcher<unknown[], Row | undefined>;

  /** `columns` and `from`, including its WHERE clause, form the SELECT of one lookup. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly columns: string,
    private readonly from: string,
  ) {
    this.batcher = new Batcher((requests) => this.findAll(requests), MAX_UNION_SELECTS);
  }

  find(...values: unknown[]): Promise<Row | undefined> {
    return this.batcher.submit(values);
  }

  private async findAll(requests: unknown[][]): Promise<Array<Row | undefined>> {
    const selects = requests.map(() => `${this.columns} ${this.from}`);
    const rows = await selectRows<Row>(this.dataSource.manager, unionAll(selects), requests.flat());
    return groupRowsBySelect(rows, requests.length).map(([row]) => row);
  }
}
