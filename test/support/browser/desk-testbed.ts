import { scryptSync } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/operators/actions/operators/operator.entity.js';
import { generateTotpSecret } from '../../../src/platform/auth/totp.js';
import { Client } from '../api/client.js';
import { freePort } from '../servers/free-port.js';
import { childrenOf, signalIfRunning } from '../servers/process-tree.js';
import { until } from '../until.js';
import type { WindowOptions } from './chromium.js';
import { WebTestbed } from './web-testbed.js';

export const OPERATORS = {
  sue: 'support',
  mo: 'moderator',
  tara: 'treasury',
  theo: 'treasury',
  ada: 'admin',
  alan: 'admin',
} as const satisfies Record<string, Role>;
export type OperatorName = keyof typeof OPERATORS;
export const DESK_PASSWORD = 'a long one of the desk';
const FOUR_EYES_ABOVE = 1000;
/** The lock outlasts a test on a busy machine. */
const LONG_LOCK = {
  account_and_address: { failures: 5, window: 300, lock: 900, max_lock: 900 },
};

/** Runs the built service with its desk and a signed-in operator of each role. */
export class DeskTestbed {
  private readonly totpSecrets = new Map<string, string>();
  private readonly cookies = new Map<string, string>();

  private constructor(
    readonly url: string,
    readonly site: WebTestbed,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<DeskTestbed> {
    const port = await freePort();
    const site = await WebTestbed.start({
      env: { DESK_PORT: String(port), ...env },
      settings: { desk: { four_eyes_above: FOUR_EYES_ABOVE }, login_throttle: LONG_LOCK },
    });
    const desk = new DeskTestbed(`http://127.0.0.1:${port}`, site);
    for (const [name, role] of Object.entries(OPERATORS)) await desk.addOperator(name, role);
    await desk.untilReady();
    for (const name of Object.keys(OPERATORS)) await desk.signIn(name as OperatorName);
    return desk;
  }

  /** Each code works once, and the sign-in used up the code of step 0. */
  codeOf(name: OperatorName, step: number): string {
    const totp = new TOTP({ secret: this.totpSecrets.get(name)! });
    return totp.generate({ timestamp: Date.now() + step * 30_000 });
  }

  /** Opens a window with a signed-in operator and waits until its page has loaded. */
  async open(name: OperatorName, path: string, options: WindowOptions = {}): Promise<Page> {
    const cookie = { name: 'gatehouse_desk', value: this.cookies.get(name)! };
    const page = await this.site.chromium.open(this.url + path, { ...options, cookie });
    await untilLoaded(page);
    return page;
  }

  /**
   * Signs in an operator whose session a test has ended. The browser's sign-in used the code of step 1, after which the
   * service refuses the code of step 0 until the last step is reset.
   */
  async signInAgain(name: OperatorName): Promise<void> {
    await this.site.database.query(
      `UPDATE operator SET totp_last_step = NULL WHERE name = '${name}'`,
    );
    await this.signIn(name);
  }

  /** Opens the form for a new operator's password and app, which a desk on an embedded database never shows. */
  async openFirstSignIn(): Promise<Page> {
    const page = await this.site.chromium.open(`${this.url}/sign-in`);
    const totp_secret = generateTotpSecret();
    const enrolment = { totp_secret, totp_uri: new TOTP({ secret: totp_secret }).toString() };
    await page.route('**/api/sign_in', (route) => route.fulfill({ json: { data: { enrolment } } }));
    await page.getByLabel('Name').fill('nora');
    await page.getByLabel('Password').fill(DESK_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your first sign-in' }).waitFor();
    return page;
  }

  /** Kills the desk, which the service then restarts. */
  killDesk(): void {
    const [pid] = childrenOf(this.site.gatehouse.pid);
    signalIfRunning(pid!, 'SIGKILL');
  }

  stop(): Promise<void> {
    return this.site.stop();
  }

  private async addOperator(name: string, role: Role): Promise<void> {
    const totp_secret = generateTotpSecret();
    this.totpSecrets.set(name, totp_secret);
    // The scrypt parameters are the cheapest possible because the tests sign in often.
    const key = scryptSync(DESK_PASSWORD, '', 32, { N: 2, r: 1, p: 1 }).toString('base64url');
    const row = { name, role, totp_secret, password: `scrypt$2$1$1$$${key}` };
    await this.site.database.insert('operator', { ...row, created_at: new Date() });
  }

  private async untilReady(): Promise<void> {
    const client = new Client(this.url);
    await until(
      () =>
        // The desk listens before it has connected to its database.
        client.get('/api/session').then(
          ({ status }) => status !== 503,
          () => false,
        ),
      { every: 100, within: 90_000 },
    );
  }

  private async signIn(name: OperatorName): Promise<void> {
    const body = { name, password: DESK_PASSWORD, totp: this.codeOf(name, 0) };
    const answer = await new Client(this.url).post('/api/sign_in', body);
    const cookie = /gatehouse_desk=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
    if (!cookie) throw new Error(`${name} was refused: ${answer.text}`);
    this.cookies.set(name, cookie);
  }
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('main :text("Loading"), main :text("加载中")').waitFor({ state: 'hidden' });
}

/** Searches with the keyboard alone, as operators do. */
export async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.locator('#search:focus').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Presses an action's button, enters the reason and confirms. */
export async function act(page: Page, name: string, submit: string, note: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Internal note').fill(note);
  await dialog.getByRole('button', { name: submit, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
