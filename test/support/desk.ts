import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../../src/config/environment.js';
import { OperatorActs } from '../../src/desk/access/operator-acts.js';
import type { Role } from '../../src/desk/access/role.js';
import { totpCode, totpStep } from '../../src/desk/access/totp.js';
import { createDesk } from '../../src/desk/create-desk.js';
import type { TestApp } from './app.js';
import { type Answer, Client } from './client.js';

/** An operator who is signed in. */
export interface DeskUser {
  name: string;
  role: Role;
  /** Of the session, for requests by other means. */
  headers: Record<string, string>;
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
}

export interface TestDesk {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly client: Client;
  /** Makes an operator, and signs in. */
  as(role: Role, name?: string): Promise<DeskUser>;
  /** The same session at this desk. */
  also(user: DeskUser): DeskUser;
  stop(): Promise<void>;
}

/** The desk inside the test process, on the database and with the settings of a service that runs. */
export async function openDesk(service: TestApp): Promise<TestDesk> {
  const app = await createDesk(service.app.get(Environment));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = new Client(url);
  const userWith = (name: string, role: Role, headers: Record<string, string>): DeskUser => ({
    name,
    role,
    headers,
    get: (path) => client.get(path, { headers }),
    post: (path, body) => client.post(path, body, { headers }),
  });
  return {
    app,
    url,
    client,
    async as(role, name = `the.${role}`) {
      const who = { by: 'test', note: 'test' };
      const { password, totpSecret } = await app.get(OperatorActs).add(who, name, role);
      const totp = totpCode(totpSecret, totpStep(Date.now()));
      const answer = await client.post('/api/sign_in', { name, password, totp });
      if (answer.status !== 200) throw new Error(`${name} was not signed in: ${answer.text}`);
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
      return userWith(name, role, { cookie, 'x-desk-token': String(answer.body.data.token) });
    },
    also: ({ name, role, headers }) => userWith(name, role, headers),
    stop: () => app.close(),
  };
}
