// Measures the desk's pages against a filled database. The service audits the admin's page views,
// as in production.
import { createHash, randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { deskPages, NOW } from './desk-pages.mjs';
import * as fill from './fill.mjs';
import { startDesk } from './stage.mjs';

export const DESK = 'desk';
export const DESK_BAR_MS = 200;
const CALLS = 50;
// The desk caches the dashboard for a shorter time than this.
const CACHED_MS = 4100;
const GUESSING_MINUTES = 100_000;

export async function timeDeskPages(world, game) {
  const { database, players, servers, withdrawals, sides } = world;
  const victim = world.playerIds.at(-1);
  await fill.fillAudit(database, Math.max(players / 20, 1000), players);
  await fill.fillProblemWithdrawals(database, 300, players, servers);
  await fill.fillFailedLogins(database, Math.min(players, GUESSING_MINUTES), victim);
  await fill.fillRecentLogins(database, Math.max(players / 50, 1000), players);
  const cookie = await signIn(database);
  const desk = await startDesk(database, game, sides.service);
  const owners = world.playerIds.slice(0, Math.floor(withdrawals / fill.WITHDRAWALS_EACH));
  const timed = deskPages({ ...world, owners, victim }).map((page) => ({ page, times: [] }));
  const load = async (path) => {
    const started = performance.now();
    const response = await fetch(desk.url + path, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return performance.now() - started;
  };
  const loadBefore = loadavg()[0];
  // The first round is the warm-up. Each round loads all pages, so that noise affects all pages
  // alike.
  for (let call = -1; call < CALLS; call++) {
    const cacheExpired = pause(CACHED_MS);
    for (const { page, times } of timed) {
      const ms = await load(page[1](call + 1));
      if (call >= 0) times.push(ms);
    }
    await cacheExpired;
  }
  const loadAverages = [loadBefore, loadavg()[0]];
  for (const result of timed) {
    const [name, pathOf] = result.page;
    const pauseMs = name === NOW ? CACHED_MS : 0;
    result.rowsRead = await countRowsRead(database, pauseMs, () => load(pathOf(CALLS)));
  }
  await desk.stop();
  return {
    players,
    load: loadAverages,
    pages: timed.map(({ page: [name], times, rowsRead }) => ({
      name,
      rowsRead,
      ...percentiles(times),
    })),
  };
}

export function deskTable(measured) {
  const { players, load, pages } = measured;
  const heads = ['page', 'median, ms', 'p95, ms', 'max, ms', 'rows read'];
  const rows = pages.map(({ name, median, p95, most, rowsRead }) => [
    name,
    ...[median, p95, most].map((ms) => ms.toFixed(1)),
    String(rowsRead),
  ]);
  const loads = load.map((average) => average.toFixed(1)).join(' to ');
  return { title: `the desk at ${players} players, load average ${loads}`, heads, rows };
}

/**
 * Counts handler reads, which do not depend on the machine's load. Takes the minimum of three runs,
 * because other connections read rows too.
 */
async function countRowsRead({ query }, pauseMs, work) {
  const sum = async () =>
    (await query("SHOW GLOBAL STATUS LIKE 'Handler_read%'")).reduce(
      (total, { Value }) => total + Number(Value),
      0,
    );
  const counts = [];
  for (let run = 0; run < 3; run++) {
    await pause(pauseMs);
    const [first, second] = [await sum(), await sum()];
    await work();
    // SHOW STATUS itself reads some rows.
    counts.push((await sum()) - second - (second - first));
  }
  return Math.min(...counts);
}

function percentiles(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p95: at(0.95), most: sorted.at(-1) };
}

/** Inserts a session instead of signing in. */
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
