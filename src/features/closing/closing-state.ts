import { type EntityManager, IsNull, Not } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { selectRows } from '../../platform/database/statement.js';
import { AccountBusy } from './closing.errors.js';

const OPEN_WITHDRAWAL = 'SELECT id FROM withdraw WHERE player_id = ? AND is_open = 1 LIMIT 1';

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
  const open = { id: playerId, closingAt: IsNull(), closedAt: IsNull() };
  return (await manager.update(Player, open, { closingAt: at })).affected === 1;
}

/** False where the account was not closing, or is closed. */
export async function cancelClosing(manager: EntityManager, playerId: number): Promise<boolean> {
  const closing = { id: playerId, closingAt: Not(IsNull()), closedAt: IsNull() };
  return (await manager.update(Player, closing, { closingAt: null })).affected === 1;
}
