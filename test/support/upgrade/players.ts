import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until.js';
import { Authenticator } from '../api/authenticator.js';
import { BrowserSession } from '../api/browser-session.js';
import { type Answer, Client } from '../api/client.js';
import type { FakeGameServer, Fault } from '../api/game-server.js';
import type { SqliteGameWorld } from '../api/sqlite-game-world.js';
import { md5, PASSWORD, unique } from '../accounts.js';
import { insertPlayer, logIn } from '../servers/cluster-fleet.js';
import { type AppOwner, type Player, Promises, type SignIn, type Withdrawal } from './promises.js';

export const ORIGIN = 'http://play.example';
export const FUNDS = 1_000_000;
const AMOUNT = 100;
const VISITORS = 16;
const APP_OWNERS = 20;
/** Each audit uses one of these players. */
const SPARE_APP_OWNERS = 3;
const RICH = 2;
/** Each sign-in with a code waits for this many other requests, because a player has only two codes a minute. */
const REQUESTS_PER_CODE = 100;
const FAULTS: Fault[] = [
  'none',
  'none',
  'error_after',
  'none',
  'none',
  'reset_before',
  'none',
  'reset_after',
  'none',
  'none',
  'error_before',
  'none',
  'none',
  'hang_after',
];

interface World {
  readonly url: string;
  readonly databaseUrl: string;
  readonly server: number;
  readonly world: SqliteGameWorld;
  readonly game: FakeGameServer;
}

/** Simulates players who keep playing, through nginx. */
export class Players {
  readonly promises = new Promises();
  private readonly client: Client;
  private readonly faults = new Map<number, Fault>();
  private visitors: Array<{ player: Player; signIns: SignIn[] }> = [];
  private isRunning = false;
  private work: Array<Promise<void>> = [];

  constructor(private readonly stage: World) {
    this.client = new Client(stage.url);
    stage.game.fault = ({ role_id }) => this.faults.get(Number(role_id)) ?? 'none';
  }

  /** Signs in all players for the first time. */
  async arrive(): Promise<void> {
    const players = (count: number) => Promise.all(Array.from({ length: count }, this.newPlayer));
    this.visitors = (await players(VISITORS)).map((player) => ({ player, signIns: [] }));
    const { appOwners, spareAppOwners } = this.promises;
    for (const player of await players(APP_OWNERS + SPARE_APP_OWNERS)) {
      const { token } = await this.signIn(player);
      const owners = appOwners.length < APP_OWNERS ? appOwners : spareAppOwners;
      owners.push(await this.addApp(player, token));
    }
    for (const { account } of await players(2))
      this.promises.busyBrowsers.push(await this.openBrowser(account));
  }

  /** Uses the current code, because the previous code could expire before it arrives. */
  private async addApp(player: Player, token: string): Promise<AppOwner> {
    const { body } = await this.client.post('/api/account/totp', {}, { token });
    const { secret } = body.data;
    const code = new Authenticator(secret, []).code();
    const answer = await this.client.post('/api/account/totp/confirm', { code }, { token });
    if (answer.status !== 200) throw new Error(`an app was refused: ${answer.text}`);
    const app = new Authenticator(secret, answer.body.data.recovery_codes);
    return { player, app, usedCodes: [code], usedRecoveryCodes: [] };
  }

  async start(): Promise<void> {
    this.isRunning = true;
    const rich = await Promise.all(Array.from({ length: RICH }, this.newPlayer));
    const steps = [
      ...Array.from({ length: 2 }, () => (n: number) => this.visit(n)),
      ...this.promises.busyBrowsers.map((browser) => () => this.refresh(browser)),
      (n: number) => this.chat(n),
      (n: number) => this.signInWithSecondFactor(n),
      ...(await Promise.all(rich.map((player) => this.withdrawer(player)))),
    ];
    this.work = steps.map((step) => this.repeat(step));
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.work);
  }

  private async repeat(step: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; this.isRunning; n++) {
      const began = performance.now();
      await step(n);
      // The pause leaves a busy machine time for the instances and their database.
      await pause(performance.now() - began);
    }
  }

  readonly newPlayer = () => insertPlayer(this.stage.databaseUrl);

  private async signIn(player: Player): Promise<SignIn> {
    const signIn = { player, token: await logIn(this.client, player.account) };
    this.promises.signIns.push(signIn);
    return signIn;
  }

  private async openBrowser(account: string): Promise<BrowserSession> {
    const browser = new BrowserSession(this.client, ORIGIN);
    await browser.signIn(account, PASSWORD);
    return browser;
  }

  /** Signs in, or uses an earlier sign-in, and enters a server, which checks the player's tokens. */
  private async visit(n: number): Promise<void> {
    const visitor = this.visitors[(n * 7) % VISITORS]!;
    const { player, signIns } = visitor;
    if (n % 4 === 0 || signIns.length === 0) await this.signInAgain(visitor, n);
    const signIn = signIns[(n * 5) % signIns.length];
    if (!signIn) return;
    const { account } = player;
    const body = { account, token: signIn.token };
    await this.promises.ask('check', () => this.client.post('/api/check', body));
    const query = new URLSearchParams({ account, token: md5(PASSWORD) });
    await this.promises.ask('check', () => this.client.get(`/api/check?${query.toString()}`));
    const entered = await this.promises.ask('entry', () =>
      this.client.post('/api/enter_game', { server_id: this.stage.server }, signIn),
    );
    if (!entered) return;
    this.promises.entries.set(player, (this.promises.entries.get(player) ?? 0) + 1);
    const game = { account, token: entered.body.data.token };
    await this.promises.ask('check', () => this.client.post('/api/check', game));
  }

  private async signInAgain(visitor: Players['visitors'][number], n: number): Promise<void> {
    const { player, signIns } = visitor;
    const remember = n % 12 === 0;
    const browser = new BrowserSession(this.client, ORIGIN);
    const { account } = player;
    const answer = await this.promises.ask('sign-in', () =>
      remember
        ? browser.signIn(account, PASSWORD)
        : this.client.post('/api/login', { account, password: PASSWORD }),
    );
    if (!answer) return;
    const signIn = { player, token: answer.body.data.token as string };
    signIns.push(signIn);
    this.promises.signIns.push(signIn);
    if (remember) this.promises.restingBrowsers.push(browser);
  }

  private async refresh(browser: BrowserSession): Promise<void> {
    const answer = await this.promises.ask('refresh', () => browser.refresh());
    if (answer) await this.promises.ask('check', () => this.client.get('/api/sessions', browser));
  }

  /** Reports five records and repeats the report, as a game server does if it got no response. */
  private async chat(n: number): Promise<void> {
    const ids = Array.from({ length: 5 }, () => unique(`chat${n}`));
    const records = ids.map((chat_id) => ({
      server_id: this.stage.server,
      chat_id,
      content: 'hello',
    }));
    const report = () => this.client.post('/api/report/chat', { records });
    const first = await this.promises.ask('chat', report);
    if (!first) return;
    this.promises.chatIds.push(...ids);
    const isDuplicate = ({ body }: Answer) => body.data?.duplicates === ids.length;
    await this.promises.ask('chat', report, isDuplicate);
  }

  /** Signs in with the app's code, or with a recovery code if the player has used the current codes. */
  private async signInWithSecondFactor(n: number): Promise<void> {
    const { promises } = this;
    const owner = promises.appOwners[n % APP_OWNERS]!;
    const target = promises.requests + REQUESTS_PER_CODE;
    await until(() => promises.requests > target || !this.isRunning, { within: 120_000 });
    const { account } = owner.player;
    const first = await promises.ask(
      'sign-in',
      () => this.client.post('/api/login', { account, password: PASSWORD }),
      ({ body }) => body.error === 'second_factor_required',
    );
    const proof = nextProof(owner);
    if (!first || !proof) return;
    const second = await promises.ask('second factor', () =>
      this.client.post('/api/login/second', { ticket: first.body.ticket, ...proof }),
    );
    if (second)
      promises.signIns.push({ player: owner.player, token: second.body.data.token as string });
  }

  /** Returns a step that withdraws, or repeats an earlier withdrawal of the player. */
  private async withdrawer(player: Player): Promise<(n: number) => Promise<void>> {
    const signIn = await this.signIn(player);
    const own: Withdrawal[] = [];
    let role = await this.newRole(player);
    return async (n) => {
      const earlier = own[(n * 7) % own.length];
      if (n % 4 === 3 && earlier?.answers.length) return this.withdrawAgain(earlier);
      const fault = FAULTS[n % FAULTS.length]!;
      if (fault !== 'none') this.faults.set((role = await this.newRole(player)), fault);
      const withdrawal = { signIn, key: randomUUID(), role, amount: AMOUNT, answers: [] };
      own.push(withdrawal);
      this.promises.withdrawals.push(withdrawal);
      await this.withdraw(withdrawal);
      // A withdrawal with an unknown outcome locks its role.
      if (fault !== 'none' || !isDone(withdrawal)) role = await this.newRole(player);
    };
  }

  private newRole({ account }: Player): Promise<number> {
    return this.stage.world.createRole(this.stage.server, { account, balance: FUNDS });
  }

  private async withdraw(withdrawal: Withdrawal): Promise<void> {
    const answer = await this.promises.ask(
      'withdrawal',
      () => sendWithdrawal(this.client, this.stage.server, withdrawal),
      ({ status }) => status === 200 || status === 202,
    );
    if (answer) withdrawal.answers.push(answer);
  }

  private async withdrawAgain(withdrawal: Withdrawal): Promise<void> {
    await this.promises.ask(
      'repeated withdrawal',
      () => sendWithdrawal(this.client, this.stage.server, withdrawal),
      // An operator may be settling the withdrawal at the same time.
      (answer) =>
        isRepeatOf(withdrawal, answer) ||
        isRepeatOf({ ...withdrawal, settledAs: undefined }, answer),
    );
  }
}

export function sendWithdrawal(
  client: Client,
  server: number,
  { signIn, key, role, amount }: Withdrawal,
): Promise<Answer> {
  const body = { server_id: server, role_id: role, amount };
  return client.post('/api/game/withdraw', body, {
    ...signIn,
    headers: { 'Idempotency-Key': key },
  });
}

function isDone({ answers }: Withdrawal): boolean {
  return answers[0]?.status === 200;
}

/** Returns whether the response shows the withdrawal as it was first shown, or as an operator has settled it. */
export function isRepeatOf(
  { answers, settledAs }: Pick<Withdrawal, 'answers' | 'settledAs'>,
  { status, headers, body }: Answer,
): boolean {
  const [first] = answers;
  if (!first || headers.get('idempotency-hit') !== 'true') return false;
  if (settledAs === 'failed') return status === 503;
  const expected = settledAs === 'succeeded' ? 200 : first.status;
  return status === expected && body.data?.id === first.body.data.id;
}

function nextProof({ app, usedCodes, usedRecoveryCodes }: AppOwner): object | undefined {
  const code = [app.code(), app.code(1)].find((one) => !usedCodes.includes(one));
  if (code !== undefined) {
    usedCodes.push(code);
    return { code };
  }
  const recovery_code = app.recoveryCodes[usedRecoveryCodes.length];
  if (recovery_code !== undefined) usedRecoveryCodes.push(recovery_code);
  return recovery_code === undefined ? undefined : { recovery_code };
}
