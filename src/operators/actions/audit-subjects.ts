import type { EntityManager } from 'typeorm';

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
  // Not a query builder: commands about events do not load the entities of withdrawals.
  const settled = await manager.query<Array<{ id: number }>>(
    `SELECT DISTINCT w.id FROM withdraw w JOIN withdraw_event e ON e.withdraw_id = w.id
      WHERE w.player_id IN (${players.join(', ')}) AND e.cause = 'person'
      ORDER BY w.id DESC LIMIT ${MAX_SETTLED}`,
  );
  return [...subjects, ...settled.map(({ id }) => withdrawalAuditSubject(id))];
}
