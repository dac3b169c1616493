// After the last fault, every instance must become healthy and every open withdrawal must end.
import { setTimeout as pause } from 'node:timers/promises';
import { settleWithdrawal } from './operator-operations.mjs';

const SWEPT_WITHIN_MS = 20_000;
const RECORDED_WITHIN_MS = 45_000;
const OPEN = `status IN ('created', 'sending', 'unknown')`;
const UNRECORDED = `status <> (SELECT to_status FROM withdraw_event
  WHERE id = (SELECT MAX(id) FROM withdraw_event WHERE withdraw_id = withdraw.id))`;

/**
 * The service settles these withdrawals without an operator. It does not query a game server that was merged or
 * moved.
 */
const SWEPT = `status IN ('created', 'sending') OR (status = 'unknown' AND EXISTS (
  SELECT 1 FROM server s
  WHERE s.id = withdraw.role_server_id AND s.merged_into IS NULL AND s.gm_port = withdraw.gm_port))`;

export async function finishWithdrawals(play) {
  const { game, settings, instances, database } = play.stage;
  game.dropHanging();
  settings.repair();
  await play.recoveries.expectHealthy(instances);
  const isDone = async () => (await count(database, `${UNRECORDED} OR ${OPEN}`)) === 0;
  if (await isDone()) return;

  // Backdates the rows instead of waiting minutes for the sweeper, which also runs at startup.
  const open = await database.query(`SELECT id, created_at FROM withdraw WHERE ${OPEN}`);
  for (const { id, created_at } of open) play.model.createdAt.set(id, created_at);
  const earlier = (column) =>
    `${column} = LEAST(${column}, UTC_TIMESTAMP(3)) - INTERVAL 200 SECOND`;
  const times = ['created_at', 'sent_at', 'asked_at'].map(earlier).join(', ');
  await database.query(`UPDATE withdraw SET ${times} WHERE ${OPEN}`);
  await restart(play, instances[0]);
  await within(SWEPT_WITHIN_MS, async () => (await count(database, SWEPT)) === 0);

  // An operator settles the remaining withdrawals.
  const left = await database.query(`SELECT id, order_no FROM withdraw WHERE status = 'unknown'`);
  for (const row of left) await settleWithdrawal(play, row, 'sql');
  if (left.length > 0) await restart(play, instances.at(-1));
  if (await within(RECORDED_WITHIN_MS, isDone)) return;
  const rows = await database.query(
    `SELECT id, status, order_no FROM withdraw WHERE ${UNRECORDED} OR ${OPEN} LIMIT 5`,
  );
  play.violate('a withdrawal is open or lacks its event at the end', JSON.stringify(rows));
}

async function restart(play, instance) {
  const status = await instance.stop('SIGTERM');
  if (status !== 0) play.violate('an unclean stop', `${instance.name}: ${status}`);
  await Promise.all([instance.start(), play.recoveries.expectHealthy([instance])]);
}

async function count(database, where) {
  const [{ rows }] = await database.query(
    `SELECT COUNT(*) AS \`rows\` FROM withdraw WHERE ${where}`,
  );
  return Number(rows);
}

async function within(ms, isTrue) {
  const deadline = performance.now() + ms;
  for (;;) {
    const isLate = performance.now() > deadline;
    if (await isTrue()) return true;
    if (isLate) return false;
    await pause(100);
  }
}
