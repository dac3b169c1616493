import { scryptSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/operators/actions/operators/role.js';
import {
  generateTotpSecret,
  totpCode,
  totpStep,
} from '../../../src/operators/actions/operators/totp.js';
import type { Chromium } from './chromium.js';
import { Client } from '../api/client.js';
import { freePort } from '../servers/free-port.js';
import { childrenOf, signalIfRunning } from '../servers/process-tree.js';
import { type Redis, startRedis } from '../servers/redis.js';
import { until } from '../until.js';
import { WebTestbed } from './web-testbed.js';

type WindowOptions = Parameters<Chromium['open']>[1];

export const OPERATORS = {
  sue: 'support',
  mo: 'moderator',
  tara: 'treasury',
  theo: 'treasury',
  ada: 'admin',
} as const satisfies Record<string, Role>;
export type OperatorName = keyof typeof OPERATORS;
export const DESK_PASSWORD = 'a long one of the desk';
export const FOUR_EYES_ABOVE = 1000;

/** The built service with its desk beside it, and one operator of each role with a browser. */
export class DeskTestbed {
  private readonly secrets = new Map<string, string>();
  private readonly cookies = new Map<string, string>();

  private constructor(
    readonly url: string,
    readonly stage: WebTestbed,
    private readonly redis: Redis,
  ) {}

  static async start(): Promise<DeskTestbed> {
    const [redis, port] = await Promise.all([startRedis(), freePort()]);
    const env = { REDIS_URL: redis.url, DESK_PORT: String(port) };
    const web = await WebTestbed.start(env, { desk: { four_eyes_above: FOUR_EYES_ABOVE } });
    const stage = new DeskTestbed(`http://127.0.0.1:${port}`, web, redis);
    for (const [name, role] of Object.entries(OPERATORS)) await stage.add(name, role);
    return stage;
  }

  /** The first is signed in once the desk is there. */
  async ready(): Promise<void> {
    const client = new Client(this.url);
    await until(
      () =>
        // It listens before it has its database.
        client.get('/api/session').then(
          ({ status }) => status !== 503,
          () => false,
        ),
      { every: 100, within: 90_000 },
    );
    await Promise.all(Object.keys(OPERATORS).map((name) => this.signIn(name)));
  }

  /** The code of this moment. Each serves once: with `steps` it is one of the next. */
  codeOf(name: OperatorName, steps = 0): string {
    return totpCode(this.secrets.get(name)!, totpStep(Date.now()) + steps);
  }

  /** A window in which the operator is signed in. */
  open(name: OperatorName, path: string, wishes: WindowOptions = {}): Promise<Page> {
    const cookie = { name: 'gatehouse_desk', value: this.cookies.get(name)! };
    return this.stage.chromium.open(this.url + path, { ...wishes, cookie });
  }

  /** It is a process of its own, and the service starts another. */
  killDesk(): void {
    const [pid] = childrenOf(this.stage.pid);
    signalIfRunning(pid!, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.stage.stop();
    await this.redis.stop();
  }

  /** With a password that costs little to compare. */
  private async add(name: string, role: Role): Promise<void> {
    const key = scryptSync(DESK_PASSWORD, '', 32, { N: 2, r: 1, p: 1 }).toString('base64url');
    const totp_secret = generateTotpSecret();
    this.secrets.set(name, totp_secret);
    const row = {
      name,
      role,
      totp_secret,
      password: `scrypt$2$1$1$$${key}`,
      created_at: new Date(),
    };
    await this.stage.sql('INSERT INTO operator SET ?', [row]);
  }

  private async signIn(name: string): Promise<void> {
    const body = { name, password: DESK_PASSWORD, totp: this.codeOf(name as OperatorName) };
    const answer = await new Client(this.url).post('/api/sign_in', body);
    const cookie = /gatehouse_desk=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
    if (!cookie) throw new Error(`${name} was refused: ${answer.text}`);
    this.cookies.set(name, cookie);
  }
}
