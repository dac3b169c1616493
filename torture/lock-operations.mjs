// Tests the lockout after wrong passwords, as long as no fault has separated the instances' counters.
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from './account-operations.mjs';
import { affectsCounters } from './fault-kinds.mjs';
import { PASSWORD } from './stage.mjs';

const GUESSES = 12;
const GUESS_LIMIT = 5;
const QUIET_WITHIN_MS = 10_000;
const MAX_BURSTS = 3;
// Gives each burst its own address, so that bursts are counted separately.
const ADDRESS_STEP = 30 << 16;

/**
 * Sends bursts of guesses until one runs without a fault. With Redis, the limit applies to all instances together.
 */
export async function guess(play, entry) {
  for (let burst = 0; burst < MAX_BURSTS; burst++) if (await sendBurst(play, entry, burst)) return;
}

/** Returns false if a fault prevented the check. */
async function sendBurst(play, entry, burst) {
  const { database, instances } = play.stage;
  const { account } = await database.createPlayer({
    account: `aim_${entry.n}_${burst}`,
    password: PASSWORD,
  });
  const from = addressOf({ n: entry.n + burst * ADDRESS_STEP });
  const wasQuiet = await untilQuiet(play);
  const logIn = (password, target) =>
    play.client.ask(entry, 'POST', '/api/login', {
      target: target % instances.length,
      from,
      body: { account, password },
      may: ['bad_credentials', 'login_throttled'],
    });
  const guesses = Array.from({ length: GUESSES }, (_, number) => `guess ${number}`);
  const answers = await Promise.all(guesses.map(logIn));
  const wrong = answers.filter((answer) => answer?.error === 'bad_credentials').length;
  const right = await logIn(PASSWORD, entry.target);
  play.counts.guesses.made++;
  if (!(await wasQuiet())) return false;
  play.counts.guesses.judged++;
  if (wrong > GUESS_LIMIT)
    play.violate('more guesses than the limit', `${wrong} of ${GUESSES} were checked`, entry);
  if (wrong === GUESS_LIMIT && right?.status === 200)
    play.violate('a login to a locked account', `${account} after ${wrong} wrong guesses`, entry);
  return true;
}

/**
 * Waits until all instances share their counters. Returns a function that tells whether the instances have shared
 * them since then.
 */
async function untilQuiet(play) {
  const { instances } = play.stage;
  const deadline = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < deadline) {
    const isQuiet = play.watchFaults(affectsCounters);
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

/** Counts logged outages, because an instance on a busy machine may consider Redis down without a fault. */
function outages(instances) {
  return instances.map((instance) => instance.logs().split('Redis is down').length).join();
}
