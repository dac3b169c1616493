import { scryptSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { Environment } from '../../../src/platform/config/environment.js';
import { generatePassword } from '../../../src/operators/actions/operators/operator-password.js';
import { Operator, type Role } from '../../../src/operators/actions/operators/operator.entity.js';
import { generateTotpSecret, sealTotpSecret } from '../../../src/platform/auth/totp.js';
import { createDesk } from '../../../src/operators/desk/run-desk.js';
import { GracefulShutdown } from '../../../src/platform/http/server/graceful-shutdown.js';
import { unique } from '../accounts.js';
import { type AppOptions, startApp, type TestApp } from './app.js';
import { type Answer, Client } from './client.js';
import { until } from '../until.js';

export interface TestDesk {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly client: Client;
  readonly embedded: boolean;
  stop(): Promise<void>;
}

/** Starts a desk inside the test process with the service's database and settings. */
export async function startDesk(
  service: TestApp,
  changes: Partial<Environment> = {},
): Promise<TestDesk> {
  const given = service.app.get(Environment);
  // Trusting loopback lets tests choose their address.
  const trusted = { DESK_TRUST_PROXY: 'loopback' };
  const environment = Object.assign(new Environment(), given, trusted, changes);
  const app = await createDesk(environment);
  await app.listen(0, '127.0.0.1');
  // On a busy machine the desk starts before it has connected to the database.
  await until(() => app.get(DataSource).isInitialized);
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const { embedded } = environment;
  const stop = () => {
    // After an aborted request Node's fetch opens a spare connection, which would delay closing by 13 s.
    for (const socket of app.get(GracefulShutdown)['idleSockets']) socket.destroy();
    return app.close();
  };
  return { app, url, client: new Client(url), embedded, stop };
}

export interface TestOperator {
  readonly name: string;
  readonly password: string;
  readonly totpSecret: string;
}

/** Creates an operator whose password is cheap to check; checking a real one takes 0.1 s of CPU time. */
export async function addOperator({ app }: TestDesk, role: Role): Promise<TestOperator> {
  const [name, password, totpSecret] = [
    unique(role.slice(0, 2)),
    generatePassword(),
    generateTotpSecret(),
  ];
  const key = scryptSync(password, '', 32, { N: 2, r: 1, p: 1 }).toString('base64url');
  const sealed = sealTotpSecret(
    totpSecret,
    { kind: 'operator', name },
    app.get(Environment).JWT_SECRET,
  );
  const row = { name, role, password: `scrypt$2$1$1$$${key}`, createdAt: new Date() };
  await app.get(DataSource).manager.insert(Operator, { ...row, totpSecret: sealed });
  return { name, password, totpSecret };
}

/** Returns the current code, or the code that is `off` time steps away. */
export function totpCodeOf({ totpSecret }: TestOperator, off = 0): string {
  return new TOTP({ secret: totpSecret }).generate({ timestamp: Date.now() + off * 30_000 });
}

export interface SignedIn {
  readonly cookie: string;
  readonly token: string;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
}

export async function signIn(desk: TestDesk, operator: TestOperator): Promise<SignedIn> {
  const { name, password } = operator;
  const answer = await desk.client.post('/api/sign_in', {
    name,
    password,
    totp: totpCodeOf(operator),
  });
  if (answer.status !== 200) throw new Error(`${name} was refused: ${answer.text}`);
  return signedIn(desk, cookieOf(answer), answer.body.data.token as string);
}

export function signedIn({ client }: TestDesk, cookie: string, token: string): SignedIn {
  return {
    cookie,
    token,
    get: (path, headers) => client.get(path, { headers: { Cookie: cookie, ...headers } }),
    post: (path, body = {}, headers = {}) =>
      client.post(path, body, { headers: { Cookie: cookie, 'X-Desk-Token': token, ...headers } }),
  };
}

export function cookieOf({ headers }: Answer): string {
  return headers.getSetCookie()[0]!.split(';')[0]!;
}

export interface DeskUser extends SignedIn {
  readonly name: string;
  readonly role: Role;
}

/** Adds an operator with this role and signs in. */
export async function deskUser(desk: TestDesk, role: Role): Promise<DeskUser> {
  const operator = await addOperator(desk, role);
  return { ...(await signIn(desk, operator)), name: operator.name, role };
}

/** Holds a desk with an operator of each role. */
export interface StaffedDesk {
  readonly service: TestApp;
  readonly desk: TestDesk;
  readonly support: DeskUser;
  readonly moderator: DeskUser;
  readonly admin: DeskUser;
  stop(): Promise<void>;
}

export async function startStaffedDesk(options?: AppOptions): Promise<StaffedDesk> {
  const service = await startApp(options);
  const desk = await startDesk(service);
  return {
    service,
    desk,
    support: await deskUser(desk, 'support'),
    moderator: await deskUser(desk, 'moderator'),
    admin: await deskUser(desk, 'admin'),
    async stop() {
      await desk.stop();
      await service.stop();
    },
  };
}

/**
 * Returns functions that sign in to the desk that `beforeAll` starts, each time from a new address unless one is
 * given.
 */
export function signInRequests(desk: () => TestDesk) {
  let addresses = 0;
  const newAddress = () => `198.51.100.${++addresses % 250}`;

  function tryWith(
    operator: TestOperator,
    { totp = totpCodeOf(operator), from = newAddress(), at = desk() } = {},
  ): Promise<Answer> {
    const { name, password } = operator;
    return at.client.post('/api/sign_in', { name, password, totp }, { from });
  }

  return { newAddress, tryWith };
}

/** Returns `ok` or the error's name. */
export function outcomeOf({ status, body }: Answer): string {
  return status === 200 ? 'ok' : (body.error as string);
}

export function sameSessionAt(desk: TestDesk, { name, role, cookie, token }: DeskUser): DeskUser {
  return { ...signedIn(desk, cookie, token), name, role };
}
