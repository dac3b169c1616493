import type { DataSource } from 'typeorm';
import { Batcher } from './batcher.js';
import { selectAlone } from './statement.js';

const MOST_IN_A_STATEMENT = 16;

/** Finds single rows by a unique key and batches concurrent lookups into one statement. For the busiest queries. */
export class Lookup<Row extends object> {
  private readonly batcher: Batcher<unknown[], Row | undefined>;

  /** `columns` and `from`, including its WHERE clause, form the SELECT of one lookup. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly columns: string,
    private readonly from: string,
  ) {
    this.batcher = new Batcher((asked) => this.findAll(asked), MOST_IN_A_STATEMENT);
  }

  find(...values: unknown[]): Promise<Row | undefined> {
    return this.batcher.submit(values);
  }

  private async findAll(asked: unknown[][]): Promise<Array<Row | undefined>> {
    const selects = asked.map(
      (_, place) => `SELECT ${place} AS place, ${this.columns} ${this.from}`,
    );
    const rows: Array<Row & { place: number | string }> = await selectAlone(
      this.dataSource,
      selects.join(' UNION ALL '),
      asked.flat(),
    );
    // MySQL types integer literals as BIGINT, which the driver returns as text.
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return asked.map((_, place) => found.get(place));
  }
}
