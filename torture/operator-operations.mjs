// What a person does about withdrawals: settles them, and reopens what was settled.
import { setTimeout as pause } from 'node:timers/promises';
import { inProject, ManagedProcess } from './support.mjs';

// Longer than anything is held back by a fault: an order that was not applied by now never will be.
const SETTLED_AFTER_SECONDS = 40;
// Far more than any fault lasts, and any limit of its own.
const COMMAND_WITHIN_MS = 90_000;
const OLD = `sent_at < UTC_TIMESTAMP(3) - INTERVAL ${SETTLED_AFTER_SECONDS} SECOND`;

// Somebody or something else was first.
const REFUSED =
  /only an unknown one|only a settled one|another open withdrawal|changed by somebody else/;

/** A command costs seconds of processor time, which a second one at once would take from the service. */
let commands = 0;

/** As a person does it who looks up an old order in the game's records. */
export async function settle(play, entry) {
  const { database, game } = play.stage;
  const rows = await database.query(
    `SELECT id, order_no FROM withdraw WHERE status = 'unknown' AND ${OLD} ORDER BY id LIMIT 50`,
  );
  const row = rows.find(({ order_no }) => isKnownForLong(play, order_no) && !game.isHeld(order_no));
  if (!row) return;
  await settleOne(play, row, entry.by);
}

/** A clock that is behind dates what it has just sent to hours ago: then only the harness's own watch counts. */
function isKnownForLong({ counts, model }, orderNo) {
  const firstSeen = model.unknownSince.get(orderNo) ?? performance.now();
  model.unknownSince.set(orderNo, firstSeen);
  return !counts.faults.clock || performance.now() - firstSeen > SETTLED_AFTER_SECONDS * 1000;
}

export async function settleOne(play, { id, order_no }, by) {
  const { database, game } = play.stage;
  const applied = (game.ledger().get(order_no)?.applications ?? 0) > 0;
  const status = applied ? 'succeeded' : 'failed';
  play.counts.settled++;
  // A command knows an id alone, and a loss gives it out again.
  const isCommand = by === 'command' && play.stage.losses.length === 0;
  if (isCommand && (await command(play, 'settle', String(id), status)) !== undefined) return;
  const edit = `UPDATE withdraw SET status = ? WHERE id = ? AND order_no = ? AND status = 'unknown'`;
  await database.query(edit, [status, id, order_no]);
}

/** Settled rightly, and looked into once more all the same: it must end as it was told before. */
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
  if (after.acts <= before.acts) play.violate('an act without its record', `reopen ${id}`, entry);
  const events = await database.query(
    `SELECT from_status FROM withdraw_event
     WHERE withdraw_id = ? AND to_status = 'unknown' AND cause = 'person'`,
    [id],
  );
  if (events.length === 0) play.violate('reopened without its event', `withdrawal ${id}`, entry);
}

/** Its exit status; undefined where another one runs. */
async function command(play, ...args) {
  if (commands > 0) return undefined;
  commands++;
  const { environment } = play.stage.instances[0];
  const who = ['--by', 'torture', '--note', 'the ledger of the game server', '--yes'];
  const isQuiet = play.quietFrom();
  const line = [inProject('dist/gatehouse.js'), 'withdrawal', ...args, ...who];
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
      play.violate('a command that does not end', `${args.join(' ')}: ${run.output.slice(-500)}`);
      await run.stop('SIGKILL');
    } else if (status !== 0 && !REFUSED.test(run.output) && isQuiet())
      play.violate('a command that failed', `${args.join(' ')}: ${run.output.slice(-500)}`);
    return status;
  } finally {
    commands--;
  }
}
