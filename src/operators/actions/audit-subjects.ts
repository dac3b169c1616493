import type { EntityManager } from 'typeorm';
import { WithdrawalEvent } from '../../features/withdraw/record/withdrawal-event.entity.js';
import { Withdrawal } from '../../features/withdraw/record/withdrawal.entity.js';

/** The newest settlements of a player that are looked up. */
const MAX_SETTLED = 200;

// The `subject` of a row in `audit_event`.
export const playerAuditSubject = (id: number) => `player ${id}`;
export const withdrawalAuditSubject = (id: number) => `withdrawal ${id}`;

/** Adds the withdrawals that a person settled or reopened to the subjects that are players. */
export async function withSettledWithdrawals(
  manager: EntityManager,
  subjects: string[],
): Promise<string[]> {
  const players = subjects.flatMap((subject) => /^player ([1-9]\d{0,9})$/.exec(subject)?.[1] ?? []);
  if (players.length === 0) return subjects;
  const settled = await manager
    .createQueryBuilder(WithdrawalEvent, 'e')
    .innerJoin(Withdrawal, 'w', 'w.id = e.withdraw_id')
    .select('DISTINCT w.id', 'id')
    .where('w.player_id IN (:...players)', { players })
    .andWhere("e.cause = 'person'")
    .orderBy('w.id', 'DESC')
    .limit(MAX_SETTLED)
    .getRawMany<{ id: number }>();
  return [...subjects, ...settled.map(({ id }) => withdrawalAuditSubject(id))];
}
