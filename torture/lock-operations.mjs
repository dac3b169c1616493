// Locks after wrong passwords: judged only where no fault can have parted the counters.
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from './account-operations.mjs';
import { reachesCounters } from './fault-kinds.mjs';
import { PASSWORD } from './stage.mjs';

const GUESSES = 12;
const MOST_GUESSES = 5;
const QUIET_WITHIN_MS = 10_000;
const MOST_FLOODS = 3;
// Each comes from another address, or they would be counted together.
const FAR = 30 << 16;

/** Many guesses at once, in a quiet moment. The limit holds for all instances together while Redis is there. */
export async function guess(play, entry) {
  for (let flood = 0; flood < MOST_FLOODS; flood++) if (await isJudged(play, entry, flood)) return;
}

/** False where it was not quiet for long enough. */
async function isJudged(play, entry, flood) {
  const { database, instances } = play.stage;
  const { account } = await database.createPlayer({
    account: `aim_${entry.n}_${flood}`,
    password: PASSWORD,
  });
  const from = addressOf({ n: entry.n + flood * FAR });
  const wasQuiet = await quietMoment(play);
  const tryOut = (password, target) =>
    play.client.ask(entry, 'POST', '/api/login', {
      target: target % instances.length,
      from,
      body: { account, password },
      may: ['bad_credentials', 'login_throttled'],
    });
  const guesses = Array.from({ length: GUESSES }, (_, number) => `guess ${number}`);
  const answers = await Promise.all(guesses.map(tryOut));
  const wrong = answers.filter((answer) => answer?.error === 'bad_credentials').length;
  const right = await tryOut(PASSWORD, entry.target);
  play.counts.guesses.made++;
  if (!(await wasQuiet())) return false;
  play.counts.guesses.judged++;
  if (wrong > MOST_GUESSES)
    play.violate('more guesses than the limit', `${wrong} of ${GUESSES} were looked at`, entry);
  if (wrong === MOST_GUESSES && right?.status === 200)
    play.violate('a lock that opened', `${account} after ${wrong} wrong guesses`, entry);
  return true;
}

/** Waits for a moment in which all instances share their counters. What it gives tells whether they did so ever since. */
async function quietMoment(play) {
  const { instances } = play.stage;
  const deadline = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < deadline) {
    const isQuiet = play.quietFrom(reachesCounters);
    const before = outages(instances);
    const isShared = async () =>
      isQuiet() && (await areShared(instances)) && outages(instances) === before;
    if (await isShared()) return isShared;
    await pause(100);
  }
  return () => false;
}

async function areShared(instances) {
  const answers = await Promise.all(instances.map((instance) => instance.sharesCounters()));
  return answers.every(Boolean);
}

/** As logged: on a busy machine a Redis may be taken for gone with no fault on. */
function outages(instances) {
  return instances.map((instance) => instance.logs().split('Redis is down').length).join();
}
