// Removes entries from a failing history while it still fails (delta debugging).

const MAX_TRIES = 60;
// Longer gaps between entries are unnecessary, because ending.mjs backdates the open withdrawals.
const LONGEST_GAP_MS = 1500;
const BEFORE_MS = 20_000;
const AFTER_MS = 3000;

/** `stillFails(entries, try)` plays a history. `culprit` is the entry at which the failure was noticed. */
export async function shrink(played, culprit, stillFails, deadline = Infinity) {
  let tries = 0;
  const hasTime = () => Date.now() < deadline && tries < MAX_TRIES;
  const fails = async (entries) => {
    if (!hasTime() || entries.length === 0) return false;
    tries++;
    return stillFails(entries, tries);
  };

  let history = played;
  for (const candidate of candidates(history, culprit)) {
    if (!(await fails(candidate))) continue;
    history = candidate;
    break;
  }
  history = await removeParts(history, fails, hasTime);
  return { history, tries };
}

/** Returns the entries as a new history, without long gaps. */
export function replay(entries) {
  let shift = 0;
  let last = entries[0]?.at ?? 0;
  const moved = entries.map((entry) => {
    shift += Math.max(0, entry.at - last - LONGEST_GAP_MS);
    last = entry.at;
    return { ...entry, at: entry.at - shift - entries[0].at };
  });
  return (minute) => (minute === 0 ? moved : undefined);
}

/**
 * Returns likely subsets, smallest first, such as the culprit, the culprit's role with nearby faults, and all
 * nearby entries.
 */
function* candidates(history, culprit) {
  if (!culprit) return;
  const isNear = ({ at }) => at > culprit.at - BEFORE_MS && at < culprit.at + BEFORE_MS;
  const isSame = (entry) =>
    entry.n === culprit.n ||
    (entry.op === 'withdraw' &&
      ['player', 'server', 'role'].every((field) => entry[field] === culprit[field]));
  const isClose = ({ at }) => at > culprit.at - BEFORE_MS / 4 && at < culprit.at + AFTER_MS;
  yield history.filter((entry) => entry.n === culprit.n);
  yield history.filter((entry) => isSame(entry) || (entry.fault && isClose(entry)));
  yield history.filter((entry) => isSame(entry) || (entry.fault && isNear(entry)));
  yield history.filter(isNear);
}

async function removeParts(history, fails, hasTime) {
  let parts = 2;
  while (history.length > 1 && hasTime()) {
    const size = Math.ceil(history.length / parts);
    let smaller;
    for (let from = 0; from < history.length && hasTime(); from += size) {
      const rest = [...history.slice(0, from), ...history.slice(from + size)];
      if (await fails(rest)) {
        smaller = rest;
        break;
      }
    }
    if (smaller) {
      history = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(history.length, parts * 2);
  }
  return history;
}
