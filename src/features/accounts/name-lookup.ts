import type { DataSource } from 'typeorm';
import { isSameAccount, trimAccountName } from '../../platform/auth/account-name.js';
import { Batcher } from '../../platform/database/batcher.js';
import { isMysql, selectRows } from '../../platform/database/statement.js';
import { MAX_UNION_SELECTS, groupRowsBySelect } from '../../platform/database/union.js';

type Found<Row> = Row & { place: number | string | null; alias: string | null };

/**
 * Finds players by the typed name, including old names. One subquery per statement looks for old names; one per name
 * would take the database twice as long.
 */
export class NameLookup<Row extends { account: string }> {
  private readonly batcher: Batcher<string, Row | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    /** The player is `p`. */
    private readonly columns: string,
  ) {
    this.batcher = new Batcher((names) => this.findAll(names), MAX_UNION_SELECTS);
  }

  find(name: string): Promise<Row | undefined> {
    return this.batcher.submit(name);
  }

  private async findAll(names: string[]): Promise<Array<Row | undefined>> {
    const rows = await this.read(names);
    const byAlias = new Map(rows.map((row) => [row.alias, row]));
    const named = rows.filter(({ alias }) => alias === null);
    const byPlace = groupRowsBySelect(named, names.length);
    return names.map((name, place) => {
      const aliased = byAlias.get(trimAccountName(name));
      return aliased ?? ifSameName(byPlace[place]![0], name);
    });
  }

  private read(names: string[]): Promise<Array<Found<Row>>> {
    const typed = names.map(trimAccountName);
    const selects = [
      ...names.map((_, place) => this.thisOrNext(place)),
      this.aliased(typed.length),
    ];
    const values = [...typed, ...typed];
    return selectRows(this.dataSource.manager, selects.join(' UNION ALL '), values);
  }

  /**
   * For an unknown name the next account is read and dropped: otherwise the 18 µs that the database saves would reveal
   * it.
   */
  private thisOrNext(place: number): string {
    const select = `SELECT ${place} AS place, NULL AS alias, ${this.columns} FROM player p
      WHERE p.account >= ? ORDER BY p.account LIMIT 1`;
    // SQLite takes no parentheses here, and MariaDB would fill a table for a SELECT around it.
    return isMysql(this.dataSource) ? `(${select})` : `SELECT * FROM (${select})`;
  }

  private aliased(keys: number): string {
    return `SELECT NULL AS place, a.name AS alias, ${this.columns}
      FROM player_alias a INNER JOIN player p ON p.id = a.player_id
      WHERE a.name IN (${Array(keys).fill('?').join(', ')})`;
  }
}

function ifSameName<Row extends { account: string }>(found: Row | undefined, name: string) {
  return isSameAccount(found?.account, name) ? found : undefined;
}
