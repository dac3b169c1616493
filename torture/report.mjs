// What a run says: the violations, the shortest history, and one closing line.

export function violationsText(violations) {
  return violations
    .map(
      ({ what, detail, entry }) =>
        `VIOLATION ${what}: ${detail}${entry ? `\n  by ${asLine(entry)}` : ''}`,
    )
    .join('\n');
}

/** One entry a line, as `--history` reads them. */
export function historyText(history) {
  return history.map(asLine).join('\n');
}

export function closingLine({ counts, violations, client, stage }, { seed }, seconds, lag) {
  const { operations, faulted, settled, states, faults, answers } = counts;
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  return [
    `torture: seed ${seed}, ${Math.round(seconds)} s`,
    `${operations} operations (${client.requests} requests)`,
    `${all} withdrawals: ${list(states)}; ${faulted} of them met a fault`,
    `told: ${list(answers)}`,
    `${settled} settled by a person`,
    `faults: ${list(faults)}`,
    `of the game server: ${list(stage.game.met)}`,
    // The proxies run in this process: where it stood still, so did every connection.
    `stood still for ${(lag.max / 1e9).toFixed(1)} s at most`,
    `${violations.length} violations`,
  ].join('; ');
}

function list(counts) {
  const parts = Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b));
  return parts.length === 0 ? 'none' : parts.map(([name, count]) => `${count} ${name}`).join(', ');
}

function asLine(entry) {
  return JSON.stringify({ ...entry, at: Math.round(entry.at) });
}
