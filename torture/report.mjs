// What a run says: the violations, the shortest history, and one closing line.

export function violationsText(violations) {
  return violations
    .map(
      ({ what, detail, entry }) =>
        `VIOLATION ${what}: ${detail}${entry ? `\n  by ${asLine(entry)}` : ''}`,
    )
    .join('\n');
}

/** All that the history is drawn from, as a command. */
export function replayLine({ seed, minutes, withdrawals, rate, instances, engine, faults }) {
  const until = withdrawals === Infinity ? '' : ` --withdrawals ${withdrawals}`;
  const drawn = `--seed ${seed} --minutes ${minutes}${until} --rate ${rate} --instances ${instances}`;
  return `npm run torture -- ${drawn} --engine ${engine} --faults ${faults.join() || 'none'}`;
}

/** One entry a line, as `--history` reads them. */
export function historyText(history) {
  return history.map(asLine).join('\n');
}

/** The figures of a run, one kind a line. */
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
  const asStates = Object.entries(shown).map(([told, count]) => [told.replace(' ', ' -> '), count]);
  return [
    `withdrawals: ${sum(states)}, ${faulted} of which met a fault; ${list(states)}`,
    `orders: ${applications[1] ?? 0} applied once, ${applications[0] ?? 0} never, ${moreThanOnce(applications)} more often; ${neverSent ?? 0} rows were never sent`,
    `told -> books: ${list(Object.fromEntries(asStates))}`,
    `all answers to withdrawals: ${list(answers)}`,
    `by a person: ${counts.settled} settled, ${counts.reopened} reopened`,
    `locks: ${counts.guesses.judged} of ${counts.guesses.made} floods of guesses judged`,
    `faults: ${sum(faults)}; ${list(faults)}; ${counts.skipped} left out, their victim had one already`,
    `faults of the game server: ${sum(stage.game.met)}; ${list(stage.game.met)}`,
    recoveriesText(recoveries),
    ...(counts.lost?.losses > 0 ? [lostText(counts.lost)] : []),
    ...(nodeWatch.count > 0 ? [nodesText(nodeWatch, stage)] : []),
  ].join('\n');
}

function recoveriesText({ count, longest, longestWithCore, cutShort }) {
  const [all, judged] = [longest, longestWithCore].map((seconds) => seconds.toFixed(1));
  return `recoveries: ${count} measured, the longest ${all} s, ${judged} s where the wait for a core is left out; ${cutShort} cut short by another fault`;
}

function lostText({ losses, kept, withSender, withOutcome, applied, restored }) {
  const gone = `${kept} kept as orphans, ${withSender} gone with a sender that died, ${withOutcome} with their outcome`;
  return `commits lost: ${losses} times; ${restored} rows restored; orders without a row: ${gone}; ${applied} of them applied`;
}

function nodesText({ count, longest, answers }, { rejoined }) {
  const told = `answers meanwhile: ${list(answers)}`;
  const away = `${list(countBy(rejoined))} after a kill; an instance not ready for ${longest.toFixed(1)} s at most`;
  return `nodes: ${count} times one was away; back by ${away}; ${told}`;
}

export function closingLine(
  { counts, violations, client },
  { seed, rate, instances },
  seconds,
  lag,
) {
  const { operations, faulted, states, faults } = counts;
  const books = states ? `${sum(states)} withdrawals: ${list(states)}` : 'the books were not read';
  return [
    `torture: seed ${seed}, rate ${rate}, ${instances} instances, ${Math.round(seconds)} s`,
    `${operations} operations (${client.requests} requests)`,
    `${books}; ${faulted} of them met a fault`,
    `${sum(faults)} faults`,
    // The proxies run in this process: where it stood still, so did every connection.
    `stood still for ${(lag.max / 1e9).toFixed(1)} s at most`,
    `${violations.length} violations`,
  ].join('; ');
}

function moreThanOnce(applications) {
  return sum(applications) - (applications[0] ?? 0) - (applications[1] ?? 0);
}

/** How often each is there. */
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

function asLine(entry) {
  return JSON.stringify({ ...entry, at: Math.round(entry.at) });
}
