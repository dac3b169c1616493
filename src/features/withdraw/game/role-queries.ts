import { escapeId } from 'mysql2';
import type { Settings } from '../../../platform/config/settings.js';

type GameDatabaseSettings = Settings['current']['game_database'];

const MAX_ROLES = 100;
export const MAX_SPELLINGS = 1000;

/** What follows SELECT. `withTwins` takes the account once more, first, and tells of other spellings of it. */
export interface RoleQuery {
  exact: string;
  withTwins: string;
}

export interface RoleQueries {
  byId: string;
  byAccount: RoleQuery;
  /** Part of a larger statement, so without an order. */
  byAccountAndId: RoleQuery;
  /** Every name that the game's collation takes for the account's, in hexadecimal. */
  spellings: string;
}

const cache = new WeakMap<GameDatabaseSettings, RoleQueries>();

/** What is asked of the game's table, by its names in the settings. */
export function roleQueries(game: GameDatabaseSettings): RoleQueries {
  const known = cache.get(game);
  if (known) return known;
  const queries = buildQueries(game);
  cache.set(game, queries);
  return queries;
}

function buildQueries({ table: name, columns }: GameDatabaseSettings): RoleQueries {
  const [table, account, id] = [name, columns.account, columns.role_id].map((one) => escapeId(one));
  const roles = `${id} AS id, ${escapeId(columns.role_name)} AS name, ${account} AS account,
    ${escapeId(columns.level)} AS level, ${escapeId(columns.balance)} AS balance`;
  // A name in other bytes than the role's. No list of all of them: a temporary table would cost more than all the rest.
  const twins = `EXISTS (SELECT 1 FROM ${table} twin
    WHERE twin.${account} = ? AND HEX(twin.${account}) <> HEX(${table}.${account})) AS twins`;
  const inOrder = `ORDER BY ${id} LIMIT ${MAX_ROLES}`;
  const query = (condition: string): RoleQuery => {
    const rest = `FROM ${table} WHERE ${condition}`;
    return { exact: `${roles}, 0 AS twins ${rest}`, withTwins: `${roles}, ${twins} ${rest}` };
  };
  return {
    byId: `${roles} FROM ${table} WHERE ${id} = ? LIMIT 1`,
    byAccount: query(`${account} = ? ${inOrder}`),
    // By the name too: where the game's collation tells case apart, a role by its id alone may be another's.
    byAccountAndId: query(`${id} = ? AND ${account} = ?`),
    spellings: `HEX(${account}) AS name FROM ${table} WHERE ${account} = ? LIMIT ${MAX_SPELLINGS}`,
  };
}
