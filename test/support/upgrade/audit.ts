import { BrowserSession } from '../api/browser-session.js';
import { type Answer, Client } from '../api/client.js';
import type { FakeGameServer } from '../api/game-server.js';
import type { SqliteGameWorld } from '../api/sqlite-game-world.js';
import { md5, PASSWORD } from '../accounts.js';
import { query } from '../servers/mariadb.js';
import { until } from '../until.js';
import { FUNDS, isRepeatOf, ORIGIN, sendWithdrawal } from './players.js';
import type { Player, Promises } from './promises.js';

const AT_ONCE = 4;
const ATTEMPTS = 10;

interface World {
  readonly databaseUrl: string;
  readonly server: number;
  readonly world: SqliteGameWorld;
  readonly game: FakeGameServer;
}

/** Returns every promise that the database or the game does not keep. All withdrawals must be settled. */
export async function brokenPromises(promises: Promises, stage: World): Promise<string[]> {
  const checks = [chatProblems, entryProblems, moneyProblems, eventProblems, secondFactorProblems];
  return (await Promise.all(checks.map((check) => check(promises, stage)))).flat();
}

async function chatProblems({ chatIds }: Promises, { databaseUrl }: World): Promise<string[]> {
  const rows = await query(databaseUrl, 'SELECT chat_id FROM chat');
  const stored = new Set(rows.map(({ chat_id }) => chat_id as string));
  const missing = chatIds.filter((id) => !stored.has(id)).length;
  return [
    ...(missing > 0 ? [`${missing} chat records are lost`] : []),
    ...(stored.size < rows.length ? ['a chat record is stored twice'] : []),
  ];
}

async function entryProblems({ entries }: Promises, { databaseUrl }: World): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `SELECT p.account, p.enter_count AS times, COALESCE(SUM(z.enter_count), 0) AS visits
     FROM player p LEFT JOIN player_zone z ON z.player_id = p.id GROUP BY p.id`,
  );
  const expected = new Map([...entries].map(([{ account }, count]) => [account, count]));
  return rows.flatMap(({ account, times, visits }) => {
    const count = expected.get(account as string) ?? 0;
    const isRight = Number(times) === count && Number(visits) === count;
    return isRight ? [] : [`${account} entered ${count} times; stored: ${times} and ${visits}`];
  });
}

/** Compares the responses, the rows, the orders that the game received, and the balances. */
async function moneyProblems(
  { withdrawals }: Promises,
  { databaseUrl, server, world, game }: World,
): Promise<string[]> {
  const rows = await query(databaseUrl, 'SELECT * FROM withdraw');
  const byKey = new Map<string, typeof rows>();
  for (const row of rows) {
    const key = row.idempotency_key as string;
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  const problems: string[] = [];
  for (const { key, role, amount, answers, settledAs } of withdrawals) {
    // The refusal of the request has already been reported.
    if (answers.length === 0) continue;
    const [row, ...more] = byKey.get(key) ?? [];
    const order = game.ledger.get(row?.order_no as string);
    const times = order?.applications ?? 0;
    const expected = settledAs ?? 'succeeded';
    const told = answers.map(({ status }) => status).join();
    const isStored = row?.id === answers[0]?.body.data.id && Number(row?.amount) === amount;
    const isRight = row?.status === expected && times === (expected === 'succeeded' ? 1 : 0);
    if (!isStored || !isRight || more.length > 0 || (order?.requests ?? 1) > 1)
      problems.push(
        `withdrawal ${key} of role ${role}, answered ${told}, should have ${expected}; it has ${row?.status ?? 'no row'} and ${more.length} more rows, and was applied ${times} times`,
      );
  }
  const known = new Set(withdrawals.map(({ key }) => key));
  if (byKey.size < rows.length || [...byKey.keys()].some((key) => !known.has(key)))
    problems.push(`${withdrawals.length} withdrawals have ${rows.length} rows`);
  for (const role of new Set(withdrawals.map((each) => each.role))) {
    const own = rows.filter(
      ({ role_id, status }) => Number(role_id) === role && status === 'succeeded',
    );
    const left = FUNDS - own.reduce((sum, { amount }) => sum + Number(amount), 0);
    const balance = await world.balanceOf(server, role);
    if (balance !== left) problems.push(`role ${role} has ${balance}; its rows leave ${left}`);
  }
  return problems;
}

/** Checks that withdrawals, sign-ins and operators' actions have their events. */
async function eventProblems(promises: Promises, { databaseUrl }: World): Promise<string[]> {
  const count = async (sql: string) => Number((await query(databaseUrl, sql))[0]!.n);
  const torn = await count(`SELECT COUNT(*) AS n FROM withdraw w WHERE status <> COALESCE((
    SELECT to_status FROM withdraw_event WHERE withdraw_id = w.id ORDER BY id DESC LIMIT 1), '')`);
  const acts = await count("SELECT COUNT(*) AS n FROM audit_event WHERE operator = 'anna'");
  const missing = () =>
    count(`SELECT (SELECT COUNT(*) FROM session)
      - (SELECT COUNT(*) FROM login_event WHERE outcome = 'ok') AS n`);
  // Instances write these events late.
  await until(async () => (await missing()) === 0, { within: 10_000 }).catch(() => undefined);
  const unrecorded = await missing();
  return [
    ...(torn > 0 ? [`${torn} withdrawals have a status without its event`] : []),
    ...(acts === promises.acts ? [] : [`${promises.acts} acts of operators have ${acts} rows`]),
    ...(unrecorded === 0 ? [] : [`${unrecorded} sessions more than sign-in events`]),
  ];
}

async function secondFactorProblems(
  { appOwners }: Promises,
  { databaseUrl }: World,
): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `SELECT player_id, COUNT(*) AS n, COUNT(used_at) AS used FROM player_recovery_code GROUP BY player_id`,
  );
  const stored = new Map(
    rows.map(({ player_id, n, used }) => [player_id as number, `${used} of ${n}`]),
  );
  return appOwners.flatMap(({ player, app, usedRecoveryCodes }) => {
    const expected = `${usedRecoveryCodes.length} of ${app.recoveryCodes.length}`;
    const found = stored.get(player.id);
    return found === expected
      ? []
      : [`${player.account} used ${expected} recovery codes; stored: ${found}`];
  });
}

/** Uses the players' tokens, cookies and codes at an instance, and returns what the instance refused. */
export async function problemsAt(
  url: string,
  promises: Promises,
  { server }: World,
): Promise<string[]> {
  const client = new Client(url);
  const problems: string[] = [];
  const { signIns, restingBrowsers, busyBrowsers, entries, withdrawals, appOwners } = promises;
  const expectServed = async (what: string, send: () => Promise<Answer>, holder: object = {}) => {
    const { status, text } = await answerTo(send);
    if (status === 200) return;
    problems.push(`${what} is refused at ${url}: ${status} ${text}`);
    promises.refused.add(holder);
  };
  const check = (account: string, token: string) => client.post('/api/check', { account, token });

  await forAll(signIns, (signIn) =>
    expectServed('a token', () => check(signIn.player.account, signIn.token), signIn),
  );
  await forAll([...restingBrowsers, ...busyBrowsers], async (browser) => {
    const here = new BrowserSession(client, ORIGIN, browser.cookie);
    await expectServed('a remembered session', () => here.refresh(), browser);
    browser.cookie = here.cookie;
  });
  await forAll([...entries.keys()], ({ account }) =>
    expectServed('an md5 token', () => check(account, md5(PASSWORD))),
  );
  // Repeating a request that was refused would create another withdrawal.
  const accepted = withdrawals.filter(({ answers }) => answers.length > 0);
  await forAll(accepted, async (withdrawal) => {
    const answer = await answerTo(() => sendWithdrawal(client, server, withdrawal));
    if (!isRepeatOf(withdrawal, answer))
      problems.push(`withdrawal ${withdrawal.key}, repeated: ${answer.status} ${answer.text}`);
  });
  const secondSignIn = async ({ account }: Player, proof: object) => {
    const form = { account, password: PASSWORD };
    const { ticket } = (await answerTo(() => client.post('/api/login', form))).body;
    return answerTo(() => client.post('/api/login/second', { ticket, ...proof }));
  };
  const users = appOwners.filter(({ usedRecoveryCodes }) => usedRecoveryCodes.length > 0);
  await forAll(users, async ({ player, usedRecoveryCodes: [recovery_code] }) => {
    const { status, text } = await secondSignIn(player, { recovery_code });
    if (status !== 401) problems.push(`a used recovery code: ${status} ${text}`);
  });
  const { player, app } = promises.spareAppOwners.pop()!;
  await expectServed('an app code', () => secondSignIn(player, { code: app.code(1) }));
  return problems;
}

/**
 * Repeats a request while the database of a busy machine does not respond in time, because a delay says nothing about
 * the token or cookie.
 */
async function answerTo(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    const isStored = answer.headers.has('idempotency-hit');
    if (answer.status !== 503 || isStored || attempt === ATTEMPTS) return answer;
  }
}

async function forAll<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
