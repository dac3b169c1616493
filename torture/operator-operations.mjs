// Tests operators who settle and reopen withdrawals.
import { setTimeout as pause } from 'node:timers/promises';
import { REFUSED } from './refusals.mjs';
import { inProject, ManagedProcess } from './support.mjs';

// Any fault delays an order by less than this, so the game will never apply an order that it has not applied by
// then.
const SETTLED_AFTER_SECONDS = 40;
// Every fault and every timeout of the command is shorter than this.
const COMMAND_WITHIN_MS = 90_000;
const OLD = `sent_at < UTC_TIMESTAMP(3) - INTERVAL ${SETTLED_AFTER_SECONDS} SECOND`;

/** Only one command runs at a time, because each command takes seconds of CPU time. */
let commands = 0;

/** Settles an old order according to the game ledger. */
export async function settle(play, entry) {
  const { database, game } = play.stage;
  const rows = await database.query(
    `SELECT id, order_no FROM withdraw WHERE status = 'unknown' AND ${OLD} ORDER BY id LIMIT 50`,
  );
  const row = rows.find(({ order_no }) => isOldEnough(play, order_no) && !game.isHeld(order_no));
  if (!row) return;
  await settleWithdrawal(play, row, entry.by);
}

/**
 * An instance whose clock is behind backdates a new order by hours, so after a clock fault the harness measures
 * the age itself.
 */
function isOldEnough({ counts, model }, orderNo) {
  const firstSeen = model.unknownSince.get(orderNo) ?? performance.now();
  model.unknownSince.set(orderNo, firstSeen);
  return !counts.faults.clock || performance.now() - firstSeen > SETTLED_AFTER_SECONDS * 1000;
}

export async function settleWithdrawal(play, { id, order_no }, by) {
  const { database, game } = play.stage;
  const applied = (game.ledger().get(order_no)?.applications ?? 0) > 0;
  const status = applied ? 'succeeded' : 'failed';
  play.counts.settled++;
  // The command accepts only an id, which may be reused after a loss of commits.
  const isCommand = by === 'command' && play.stage.losses.length === 0;
  if (isCommand && (await command(play, 'settle', String(id), status)) !== undefined) return;
  const edit = `UPDATE withdraw SET status = ? WHERE id = ? AND order_no = ? AND status = 'unknown'`;
  await database.query(edit, [status, id, order_no]);
}

/** Reopens a correctly settled withdrawal, which must then end with the same status. */
export async function reopen(play, entry) {
  const { database, game } = play.stage;
  const rows = await database.query(
    `SELECT id, order_no FROM withdraw
     WHERE status IN ('succeeded', 'failed') AND order_no IS NOT NULL
     ORDER BY id DESC LIMIT 20`,
  );
  const settled = rows.filter(({ order_no }) => !game.isHeld(order_no));
  if (settled.length === 0) return;
  const { id } = settled[entry.n % settled.length];
  const [before] = await database.query('SELECT COUNT(*) AS acts FROM audit_event');
  const status = await command(play, 'reopen', String(id));
  if (status !== 0) return;
  play.counts.reopened++;
  const [after] = await database.query('SELECT COUNT(*) AS acts FROM audit_event');
  if (after.acts <= before.acts)
    play.violate('an action without its audit event', `reopen ${id}`, entry);
  const events = await database.query(
    `SELECT from_status FROM withdraw_event
     WHERE withdraw_id = ? AND to_status = 'unknown' AND cause = 'person'`,
    [id],
  );
  if (events.length === 0) play.violate('reopened without its event', `withdrawal ${id}`, entry);
}

/** Returns the exit status, or undefined while another command runs. */
async function command(play, ...args) {
  if (commands > 0) return undefined;
  commands++;
  const { environment } = play.stage.instances[0];
  const flags = ['--by', 'torture', '--note', 'the ledger of the game server', '--yes'];
  const isQuiet = play.watchFaults();
  const line = [inProject('dist/gatehouse.js'), 'withdrawal', ...args, ...flags];
  const run = new ManagedProcess('node', line, {
    cwd: inProject('torture'),
    env: { ...environment, AGREEMENT_FILE: inProject('config/agreement.html') },
  });
  try {
    const status = await Promise.race([
      run.exit,
      pause(COMMAND_WITHIN_MS, undefined, { ref: false }),
    ]);
    if (status === undefined) {
      play.violate('a command hangs', `${args.join(' ')}: ${run.output.slice(-500)}`);
      await run.stop('SIGKILL');
    } else if (status !== 0 && !REFUSED.test(run.output) && isQuiet())
      play.violate('a command failed', `${args.join(' ')}: ${run.output.slice(-500)}`);
    return status;
  } finally {
    commands--;
  }
}
