import { escapeId } from 'mysql2';
import type { Settings } from '../../../platform/config/settings.js';
import { MAX_SPELLINGS } from './game-name.js';

type GameDatabaseSettings = Settings['current']['game_database'];

const MAX_ROLES = 100;

/** The statements that read the game's table, by its names in the settings. */
export function roleQueries({ table: name, columns }: GameDatabaseSettings) {
  const [table, account, id] = [name, columns.account, columns.role_id].map((one) => escapeId(one));
  const roles = `SELECT ${id} AS id, ${escapeId(columns.role_name)} AS name, ${account} AS account,
    ${escapeId(columns.level)} AS level, ${escapeId(columns.balance)} AS balance FROM ${table}`;
  return {
    byId: `${roles} WHERE ${id} = ? LIMIT 1`,
    byAccount: `${roles} WHERE ${account} = ? ORDER BY ${id} LIMIT ${MAX_ROLES}`,
    byAccountAndId: `${roles} WHERE ${id} = ? AND ${account} = ?`,
    // HEX, because DISTINCT over the name alone compares by the game's collation.
    spellings: `SELECT DISTINCT HEX(${account}) AS bytes, ${account} AS account FROM ${table}
      WHERE ${account} = ? LIMIT ${MAX_SPELLINGS}`,
  };
}
