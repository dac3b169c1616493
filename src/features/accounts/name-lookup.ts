import type { DataSource } from 'typeorm';
import { aliasKeys, isSameAccount, trimAccountName } from '../../platform/auth/account-name.js';
import { Batcher } from '../../platform/database/batcher.js';
import { isMysql, selectRows } from '../../platform/database/statement.js';
import { MAX_UNION_SELECTS, groupRowsBySelect } from '../../platform/database/union.js';

type Found<Row> = Row & { place: number | string | null; alias: string | null };

/**
 * Finds players by the name that was typed, old names too. Those are looked for once in a statement and not for each
 * name, which would take the database twice as long.
 */
export class NameLookup<Row extends { account: string }> {
  private readonly batcher: Batcher<string, Row | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    /** Of the player `p`. */
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
      const [exact, inAnyCase] = aliasKeys(name);
      const aliased = byAlias.get(exact) ?? byAlias.get(inAnyCase);
      return aliased ?? ifSameName(byPlace[place]![0], name);
    });
  }

  private read(names: string[]): Promise<Array<Found<Row>>> {
    const keys = names.flatMap(aliasKeys);
    const selects = [...names.map((_, place) => this.thisOrNext(place)), this.aliased(keys.length)];
    const values = [...names.map(trimAccountName), ...keys];
    return selectRows(this.dataSource.manager, selects.join(' UNION ALL '), values);
  }

  /**
   * For an unknown name the next account is read, and dropped afterwards: without it, an unknown name would be told by
   * the 18 µs that the database saves.
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
