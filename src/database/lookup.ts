import type { DataSource } from 'typeorm';
import { Batcher } from './batcher.js';

const MOST_IN_A_STATEMENT = 16;

/** Finds single rows by a unique key, for all who ask at the same time in one statement. For the busiest queries there are. */
export class Lookup<Row extends object> {
  private readonly batcher: Batcher<unknown[], Row | undefined>;

  /** `columns` and `from`, where clause included, make up the SELECT for one. */
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
    const rows: Array<Row & { place: number | string }> = await this.dataSource.query(
      selects.join(' UNION ALL '),
      asked.flat(),
    );
    // MySQL takes every number that stands in a statement for a large one, which the driver gives as text.
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return asked.map((_, place) => found.get(place));
  }
}
