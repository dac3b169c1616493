// The service's batching (src/platform/database/batcher.ts and lookup.ts), without its time limits.
const STATEMENTS_AT_ONCE = 2;
const LOOKUPS_A_STATEMENT = 16;

/** Answers what is asked in one tick, or while two statements run, with one statement. */
export function batched(answer, most) {
  let waiting = [];
  let underWay = 0;
  let aboutToStart = false;

  async function answerSome(some) {
    underWay++;
    try {
      const answers = await answer(some.map(({ asked }) => asked));
      for (const [place, { resolve }] of some.entries()) resolve(answers[place]);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
    underWay--;
    start();
  }

  function start() {
    aboutToStart = false;
    while (waiting.length > 0 && underWay < STATEMENTS_AT_ONCE)
      void answerSome(waiting.splice(0, most));
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (aboutToStart) return;
      aboutToStart = true;
      setImmediate(start);
    });
}

/** Single rows, each its own SELECT of a UNION ALL. */
export function lookup(ask, columns, from) {
  const find = batched(async (asked) => {
    const selects = asked.map((_, place) => `SELECT ${place} AS place, ${columns} ${from}`);
    const rows = await ask(selects.join(' UNION ALL '), asked.flat());
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return asked.map((_, place) => found.get(place));
  }, LOOKUPS_A_STATEMENT);
  return (...values) => find(values);
}
