import type { DataSource, EntityManager } from 'typeorm';
import { isDuplicateKey } from '../database/database-errors.js';
import { batchesOf, isMysql, runStatement, selectRows } from '../database/sql.js';
import { inTransaction } from '../database/transaction.js';
import { isGameNameTaken, MAX_NAME } from './account-name.js';

const NAMES_PER_STATEMENT = 200;
// MySQL's collation ignores all other characters, so the database would refuse a name without any of these.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Claims the name of a new account in the transaction that stores the account. Returns false if the name owns roles in
 * the game, because the game would give these roles to any account with the name. The claim is a row that is deleted in
 * the same transaction. Until the commit, the table's key makes a concurrent reservation of the name wait, or fail on
 * another node of a cluster.
 */
export async function claimName(
  manager: EntityManager,
  name: string,
  exceptPlayerId = 0,
): Promise<boolean> {
  if (await isGameNameTaken(manager, name, exceptPlayerId)) return false;
  try {
    await runStatement(manager, 'INSERT INTO reserved_name (name) VALUES (?)', [name]);
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  await runStatement(manager, 'DELETE FROM reserved_name WHERE name = ?', [name]);
  return true;
}

/** Reserves names that own roles in the game, unless a player has them, and returns the newly reserved ones. */
export async function reserveNames(dataSource: DataSource, names: string[]): Promise<string[]> {
  const reserved: string[] = [];
  // A name that does not fit into the table would make its whole batch fail, and cannot be registered anyway.
  const fitting = names.filter((name) => VISIBLE.test(name) && Array.from(name).length <= MAX_NAME);
  for (const batch of batchesOf(fitting, NAMES_PER_STATEMENT)) {
    const ownerless = await findOwnerless(dataSource.manager, batch);
    const fresh = ownerless.filter(({ isReserved }) => !isReserved).map(({ name }) => name);
    if (fresh.length === 0) continue;
    const kept = await inTransaction(dataSource, (manager) => insertOwnerless(manager, fresh));
    reserved.push(...kept);
  }
  return reserved;
}

/** Returns the given names that no player has, and whether each one is reserved. */
export async function findOwnerless(
  manager: EntityManager,
  names: string[],
): Promise<Array<{ name: string; isReserved: boolean }>> {
  const found: Array<{ name: string; isReserved: boolean }> = [];
  const given = isMysql(manager.dataSource)
    ? 'CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_ci'
    : '?';
  for (const batch of batchesOf(names, NAMES_PER_STATEMENT)) {
    const list = batch.map((_, place) => `SELECT ${given} AS name, ${place} AS place`);
    const rows = await selectRows<{ place: number | string; reserved: number | string }>(
      manager,
      `SELECT n.place, EXISTS (SELECT 1 FROM reserved_name r WHERE r.name = n.name) AS reserved
         FROM (${list.join(' UNION ALL ')}) n WHERE NOT ${hasOwner('n.name')} ORDER BY n.place`,
      batch,
    );
    for (const { place, reserved } of rows)
      found.push({ name: batch[Number(place)]!, isReserved: Number(reserved) === 1 });
  }
  return found;
}

/** Waits for transactions that claimed one of the names, because their players keep the names. */
async function insertOwnerless(manager: EntityManager, names: string[]): Promise<string[]> {
  const otherwise = isMysql(manager.dataSource)
    ? 'ON DUPLICATE KEY UPDATE name = reserved_name.name'
    : 'ON CONFLICT DO NOTHING';
  const rows = names.map(() => '(?)').join(', ');
  await runStatement(
    manager,
    `INSERT INTO reserved_name (name) VALUES ${rows} ${otherwise}`,
    names,
  );
  const which = `name IN (${names.map(() => '?').join(', ')})`;
  const owned = `${which} AND ${hasOwner('reserved_name.name')}`;
  await runStatement(manager, `DELETE FROM reserved_name WHERE ${owned}`, names);
  const kept = await selectRows<{ name: string }>(
    manager,
    `SELECT name FROM reserved_name WHERE ${which} ORDER BY name`,
    names,
  );
  return kept.map(({ name }) => name);
}

/** Removes the reservations of names whose players were imported later. */
export async function endReservations(manager: EntityManager): Promise<void> {
  const owned = hasOwner('reserved_name.name');
  await runStatement(manager, `DELETE FROM reserved_name WHERE ${owned}`, []);
}

function hasOwner(name: string): string {
  return `(EXISTS (SELECT 1 FROM player WHERE account = ${name})
    OR EXISTS (SELECT 1 FROM player WHERE game_account_folded = ${name}))`;
}
