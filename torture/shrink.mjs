// Leaves out operations and faults for as long as the rest still fails (delta debugging).

const MOST_TRIES = 60;
// Nothing that takes longer than this between two entries is needed: the ending lets minutes pass by itself.
const LONGEST_GAP_MS = 1500;
const BEFORE_MS = 20_000;
const AFTER_MS = 3000;

/** `stillFails` plays entries, the so-manieth try, and tells; `culprit` is the entry that the failure was noticed at. */
export async function shrink(played, culprit, stillFails, deadline = Infinity) {
  let tries = 0;
  const hasTime = () => Date.now() < deadline && tries < MOST_TRIES;
  const fails = async (entries) => {
    if (!hasTime() || entries.length === 0) return false;
    tries++;
    return stillFails(entries, tries);
  };

  let history = played;
  for (const guess of guesses(history, culprit)) {
    if (!(await fails(guess))) continue;
    history = guess;
    break;
  }
  history = await leaveOut(history, fails, hasTime);
  return { history, tries };
}

/** The entries as a history of their own, without the gaps that others left. */
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

/** Smaller first: what was asked of the same role, with the faults around it; then all that happened near it. */
function* guesses(history, culprit) {
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

async function leaveOut(history, fails, hasTime) {
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
