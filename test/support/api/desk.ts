import { scryptSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { Environment } from '../../../src/platform/config/environment.js';
import { generatePassword } from '../../../src/operators/actions/operators/operator-password.js';
import { Operator } from '../../../src/operators/actions/operators/operator.entity.js';
import type { Role } from '../../../src/operators/actions/operators/role.js';
import { generateTotpSecret } from '../../../src/platform/auth/totp.js';
import { sealTotpSecret } from '../../../src/platform/auth/totp-seal.js';
import { createDesk } from '../../../src/operators/desk/create-desk.js';
import { GracefulShutdown } from '../../../src/platform/http/server/graceful-shutdown.js';
import { unique } from '../accounts.js';
import type { TestApp } from './app.js';
import { type Answer, Client } from './client.js';
import { until } from '../until.js';

export interface TestDesk {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly client: Client;
  readonly embedded: boolean;
  stop(): Promise<void>;
}

/** A desk inside the test process, on the database and with the settings of the service. */
export async function startDesk(
  service: TestApp,
  changes: Partial<Environment> = {},
): Promise<TestDesk> {
  const given = service.app.get(Environment);
  // So that tests can say from which address they come.
  const trusted = { DESK_TRUST_PROXY: 'loopback' };
  const environment = Object.assign(new Environment(), given, trusted, changes);
  const app = await createDesk(environment);
  await app.listen(0, '127.0.0.1');
  // On a busy machine the desk starts before its database connection, which it makes in the background.
  await until(() => app.get(DataSource).isInitialized);
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const { embedded } = environment;
  const stop = () => {
    // After an aborted request Node's fetch opens a spare connection, for which closing would wait 13 s.
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

/** An operator whose password is cheap to check; a real one takes 0.1 s of a core. */
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

/** The current code, or the one `off` steps of 30 seconds away. */
export function totpCodeOf({ totpSecret }: TestOperator, off = 0): string {
  return new TOTP({ secret: totpSecret }).generate({ timestamp: Date.now() + off * 30_000 });
}

/** A browser in which an operator is signed in. */
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

/** A signed-in operator with name and role. */
export interface DeskUser extends SignedIn {
  readonly name: string;
  readonly role: Role;
}

/** Adds an operator of this role and signs in. */
export async function deskUser(desk: TestDesk, role: Role): Promise<DeskUser> {
  const operator = await addOperator(desk, role);
  return { ...(await signIn(desk, operator)), name: operator.name, role };
}

/** The same session at another desk. */
export function sameSessionAt(desk: TestDesk, { name, role, cookie, token }: DeskUser): DeskUser {
  return { ...signedIn(desk, cookie, token), name, role };
}
