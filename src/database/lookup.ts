import type { DataSource } from 'typeorm';
import { Batcher } from './batcher.js';
import { selectAlone } from './statement.js';
import { MOST_IN_A_UNION, rowsByPlace, unionOf } from './union.js';

/** Finds single rows by a unique key and batches concurrent lookups into one statement. For the busiest queries. */
export class Lookup<Row extends object> {
  private readonly batcher: Batcher<unknown[], Row | undefined>;

  /** `columns` and `from`, including its WHERE clause, form the SELECT of one lookup. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly columns: string,
    private readonly from: string,
  ) {
    this.batcher = new Batcher((asked) => this.findAll(asked), MOST_IN_A_UNION);
  }

  find(...values: unknown[]): Promise<Row | undefined> {
    return this.batcher.submit(values);
  }

  private async findAll(asked: unknown[][]): Promise<Array<Row | undefined>> {
    const selects = asked.map(() => `${this.columns} ${this.from}`);
    const rows = await selectAlone<Row>(this.dataSource, unionOf(selects), asked.flat());
    return rowsByPlace(rows, asked.length).map(([row]) => row);
  }
}
