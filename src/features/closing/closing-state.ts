import type { EntityManager } from 'typeorm';
import { sqlTime } from '../../platform/database/sql-time.js';
import { runStatement, selectRows } from '../../platform/database/statement.js';
import { AccountBusy } from './closing.errors.js';

const OPEN_WITHDRAWAL = 'SELECT id FROM withdraw WHERE player_id = ? AND is_open = 1 LIMIT 1';
const SCHEDULE =
  'UPDATE player SET closing_at = ? WHERE id = ? AND closing_at IS NULL AND closed_at IS NULL';
const CANCEL =
  'UPDATE player SET closing_at = NULL WHERE id = ? AND closing_at IS NOT NULL AND closed_at IS NULL';

/** Needs the player's lock, under which withdrawals are opened. */
export async function hasOpenWithdrawal(
  manager: EntityManager,
  playerId: number,
): Promise<boolean> {
  return (await selectRows(manager, OPEN_WITHDRAWAL, [playerId])).length > 0;
}

/** Needs the player's lock. False where the account is closing or closed already. */
export async function scheduleClosing(
  manager: EntityManager,
  playerId: number,
  at: Date,
): Promise<boolean> {
  if (await hasOpenWithdrawal(manager, playerId)) throw new AccountBusy();
  return (await runStatement(manager, SCHEDULE, [sqlTime(at), playerId])).affected === 1;
}

/** False where the account was not closing, or is closed. */
export async function cancelClosing(manager: EntityManager, playerId: number): Promise<boolean> {
  return (await runStatement(manager, CANCEL, [playerId])).affected === 1;
}
