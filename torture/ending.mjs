// After the last fault: every instance is healthy, and every open withdrawal finds its end.
import { setTimeout as pause } from 'node:timers/promises';
import { settleOne } from './operator-operations.mjs';

const ASKED_WITHIN_MS = 20_000;
const NOTED_WITHIN_MS = 45_000;
const OPEN = `status IN ('created', 'sending', 'unknown')`;
const UNRECORDED = `status <> (SELECT to_status FROM withdraw_event
  WHERE id = (SELECT MAX(id) FROM withdraw_event WHERE withdraw_id = withdraw.id))`;

/** What the service ends by itself: of a server that was merged or moved, it asks nobody. */
const SWEPT = `status IN ('created', 'sending') OR (status = 'unknown' AND EXISTS (
  SELECT 1 FROM server s
  WHERE s.id = withdraw.role_server_id AND s.merged_into IS NULL AND s.gm_port = withdraw.gm_port))`;

export async function bringToRest(play) {
  const { game, settings, instances, database } = play.stage;
  game.dropHanging();
  settings.mend();
  await play.recoveries.expectWhole(instances);
  const isDone = async () => (await count(database, `${UNRECORDED} OR ${OPEN}`)) === 0;
  if (await isDone()) return;

  // As if minutes had passed, which the sweeper waits for. A start sweeps.
  const open = await database.query(`SELECT id, created_at FROM withdraw WHERE ${OPEN}`);
  for (const { id, created_at } of open) play.model.createdAt.set(id, created_at);
  const earlier = (column) =>
    `${column} = LEAST(${column}, UTC_TIMESTAMP(3)) - INTERVAL 200 SECOND`;
  const times = ['created_at', 'sent_at', 'asked_at'].map(earlier).join(', ');
  await database.query(`UPDATE withdraw SET ${times} WHERE ${OPEN}`);
  await restart(play, instances[0]);
  await within(ASKED_WITHIN_MS, async () => (await count(database, SWEPT)) === 0);

  // What the game server was not asked about, a person settles.
  const left = await database.query(`SELECT id, order_no FROM withdraw WHERE status = 'unknown'`);
  for (const row of left) await settleOne(play, row, 'sql');
  if (left.length > 0) await restart(play, instances.at(-1));
  if (await within(NOTED_WITHIN_MS, isDone)) return;
  const rows = await database.query(
    `SELECT id, status, order_no FROM withdraw WHERE ${UNRECORDED} OR ${OPEN} LIMIT 5`,
  );
  play.violate('open or without its event at the end', JSON.stringify(rows));
}

async function restart(play, instance) {
  const status = await instance.stop('SIGTERM');
  if (status !== 0) play.violate('a stop that was not clean', `${instance.name}: ${status}`);
  await Promise.all([instance.start(), play.recoveries.expectWhole([instance])]);
}

async function count(database, where) {
  const [{ rows }] = await database.query(
    `SELECT COUNT(*) AS \`rows\` FROM withdraw WHERE ${where}`,
  );
  return Number(rows);
}

async function within(ms, holds) {
  const deadline = performance.now() + ms;
  for (;;) {
    const isLate = performance.now() > deadline;
    if (await holds()) return true;
    if (isLate) return false;
    await pause(100);
  }
}
