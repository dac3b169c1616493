// Formats violations, the shortest failing history, figures and the closing line of a run.

/** Returns the violations and the instances' unexpected errors, which may be logged only after the response. */
export function violationsText({ violations, stage: { instances } }) {
  const texts = violations.map(
    ({ what, detail, entry }) =>
      `VIOLATION ${what}: ${detail}${entry ? `\n  by ${toJsonLine(entry)}` : ''}`,
  );
  return [...texts, ...instances.flatMap((instance) => instance.unexpectedErrors())].join('\n');
}

/** Returns the command that repeats the history. */
export function replayLine({ seed, minutes, withdrawals, rate, instances, engine, faults }) {
  const limit = withdrawals === Infinity ? '' : ` --withdrawals ${withdrawals}`;
  const drawn = `--seed ${seed} --minutes ${minutes}${limit} --rate ${rate} --instances ${instances}`;
  return `npm run torture -- ${drawn} --engine ${engine} --faults ${faults.join() || 'none'}`;
}

/** Returns the history with one entry per line, as `--history` reads it. */
export function historyText(history) {
  return history.map(toJsonLine).join('\n');
}

export function figuresText({ counts, recoveries, nodeWatch, stage }) {
  const {
    states = {},
    applications = {},
    shown = {},
    answers,
    faults,
    faulted,
    neverSent,
  } = counts;
  const transitions = Object.entries(shown).map(([key, count]) => [
    key.replace(' ', ' -> '),
    count,
  ]);
  return [
    `withdrawals: ${sum(states)}, ${faulted} of them met a fault; ${list(states)}`,
    `orders: ${applications[1] ?? 0} applied once, ${applications[0] ?? 0} never, ${moreThanOnce(applications)} more than once; ${neverSent ?? 0} rows never sent`,
    `response -> final status: ${list(Object.fromEntries(transitions))}`,
    `responses to withdrawals: ${list(answers)}`,
    `operators: ${counts.settled} settled, ${counts.reopened} reopened`,
    `lockout: ${counts.guesses.judged} of ${counts.guesses.made} bursts of guesses checked`,
    `faults: ${sum(faults)}; ${list(faults)}; ${counts.skipped} skipped, whose victim already had one`,
    `game server faults: ${sum(stage.game.met)}; ${list(stage.game.met)}`,
    recoveriesText(recoveries),
    ...(counts.lost?.losses > 0 ? [lostText(counts.lost)] : []),
    ...(nodeWatch.count > 0 ? [nodesText(nodeWatch, stage)] : []),
  ].join('\n');
}

function recoveriesText({ count, longest, longestWithCore, cutShort }) {
  const [total, withCore] = [longest, longestWithCore].map((seconds) => seconds.toFixed(1));
  return `recoveries: ${count} measured, longest ${total} s, or ${withCore} s without CPU starvation; ${cutShort} interrupted by another fault`;
}

function lostText({ losses, kept, withSender, withOutcome, applied, restored }) {
  const orders = `${kept} kept as orphans, ${withSender} lost with their sender, ${withOutcome} lost with their outcome`;
  return `losses of commits: ${losses}; ${restored} rows restored; orders without a row: ${orders}; ${applied} of them applied`;
}

function nodesText({ count, longest, answers }, { rejoined }) {
  const back = `rejoined after a kill by ${list(countBy(rejoined))}`;
  const unready = `an instance was not ready for at most ${longest.toFixed(1)} s`;
  return `node outages: ${count}; ${back}; ${unready}; responses meanwhile: ${list(answers)}`;
}

export function closingLine(
  { counts, violations, client },
  { seed, rate, instances },
  seconds,
  lag,
) {
  const { operations, faulted, states, faults } = counts;
  const rows = states ? `${sum(states)} withdrawals: ${list(states)}` : 'withdrawals not read';
  return [
    `torture: seed ${seed}, rate ${rate}, ${instances} instances, ${Math.round(seconds)} s`,
    `${operations} operations (${client.requests} requests)`,
    `${rows}; ${faulted} of them met a fault`,
    `${sum(faults)} faults`,
    // The proxies run in this process, so a blocked event loop stalls every connection.
    `event loop blocked for at most ${(lag.max / 1e9).toFixed(1)} s`,
    `${violations.length} violations`,
  ].join('; ');
}

function moreThanOnce(applications) {
  return sum(applications) - (applications[0] ?? 0) - (applications[1] ?? 0);
}

export function countBy(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sum(counts) {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

function list(counts) {
  const parts = Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b));
  return parts.length === 0 ? 'none' : parts.map(([name, count]) => `${count} ${name}`).join(', ');
}

function toJsonLine(entry) {
  return JSON.stringify({ ...entry, at: Math.round(entry.at) });
}
