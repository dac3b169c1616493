// The pages of the desk at the size of a world, each asked for by one admin, whose views are written down.
import { createHash, randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { deskPages, NOW } from './desk-pages.mjs';
import * as fill from './fill.mjs';
import { startDesk } from './stage.mjs';

export const DESK = 'desk';
export const DESK_BAR_MS = 200;
const CALLS = 50;
// "Now" keeps an answer for so long.
const FRESH_MS = 2100;
const HUNTED_FOR_MINUTES = 100_000;

export async function timeDeskPages(world, game) {
  const { database, players, servers, withdrawals, sides } = world;
  const [victim] = world.asked.slice(-1);
  await fill.fillAudit(database, Math.max(players / 20, 1000), players);
  await fill.fillTrouble(database, 300, players, servers);
  await fill.fillGuesses(database, Math.min(players, HUNTED_FOR_MINUTES), victim);
  await fill.fillEvening(database, Math.max(players / 50, 1000), players);
  const cookie = await signIn(database);
  const desk = await startDesk(database, game, sides.service);
  const owners = world.asked.slice(0, Math.floor(withdrawals / fill.WITHDRAWALS_EACH));
  const timed = deskPages({ ...world, owners, victim }).map((page) => ({ page, times: [] }));
  const ask = async (path) => {
    const started = performance.now();
    const answer = await fetch(desk.url + path, { headers: { cookie } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return performance.now() - started;
  };
  const before = loadavg()[0];
  // One round warms up. Page after page in each round, so that what disturbs the machine meets them all.
  for (let call = -1; call < CALLS; call++) {
    const rest = pause(FRESH_MS);
    for (const { page, times } of timed) {
      const ms = await ask(page[1](call + 1));
      if (call >= 0) times.push(ms);
    }
    await rest;
  }
  const load = [before, loadavg()[0]];
  for (const one of timed) {
    const [name, pathOf] = one.page;
    const rest = name === NOW ? FRESH_MS : 0;
    one.rowsRead = await rowsReadBy(database, rest, () => ask(pathOf(CALLS)));
  }
  await desk.stop();
  return {
    players,
    load,
    pages: timed.map(({ page: [name], times, rowsRead }) => ({
      name,
      rowsRead,
      ...spreadOf(times),
    })),
  };
}

export function deskTable(measured) {
  const { players, load, pages } = measured;
  const heads = ['page', 'median, ms', 'p95, ms', 'slowest, ms', 'rows read'];
  const rows = pages.map(({ name, median, p95, most, rowsRead }) => [
    name,
    ...[median, p95, most].map((ms) => ms.toFixed(1)),
    String(rowsRead),
  ]);
  const loads = load.map((average) => average.toFixed(1)).join(' to ');
  return { title: `the desk at ${players} players, load average ${loads}`, heads, rows };
}

/** Rows and steps of keys that the server reads meanwhile, which no load changes. The least of three: others read too. */
async function rowsReadBy({ query }, rest, work) {
  const sum = async () =>
    (await query("SHOW GLOBAL STATUS LIKE 'Handler_read%'")).reduce(
      (total, { Value }) => total + Number(Value),
      0,
    );
  const counts = [];
  for (let time = 0; time < 3; time++) {
    await pause(rest);
    const [first, second] = [await sum(), await sum()];
    await work();
    // The question itself reads some.
    counts.push((await sum()) - second - (second - first));
  }
  return Math.min(...counts);
}

function spreadOf(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p95: at(0.95), most: sorted.at(-1) };
}

/** A session by its row: the sign-in has its own tests. */
async function signIn({ query }) {
  const secret = randomBytes(32).toString('base64url');
  const id = createHash('sha256').update(secret).digest('base64url');
  const { insertId } = await query(
    `INSERT INTO operator (name, role, password, created_at) VALUES ('bench', 'admin', '-', UTC_TIMESTAMP(3))`,
  );
  await query(
    `INSERT INTO operator_session (id, operator_id, address, created_at, seen_at, expires_at)
     VALUES (?, ?, '127.0.0.1', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 8 HOUR)`,
    [id, insertId],
  );
  return `gatehouse_desk=${secret}`;
}
