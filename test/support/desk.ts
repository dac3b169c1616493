import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../../src/config/environment.js';
import { OperatorSessions } from '../../src/desk/access/operator-sessions.js';
import type { Role } from '../../src/desk/access/role.js';
import { createDesk } from '../../src/desk/create-desk.js';
import { type TestApp } from './app.js';
import { type Answer, Client } from './client.js';

export interface DeskUser {
  name: string;
  role: Role;
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
}

export interface TestDesk {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly client: Client;
  as(role: Role, name?: string): Promise<DeskUser>;
  stop(): Promise<void>;
}

/** The desk inside the test process, on the database and with the settings of a service that runs. */
export async function openDesk(service: TestApp): Promise<TestDesk> {
  const app = await createDesk(service.app.get(Environment));
  const sessions = app.get(OperatorSessions);
  sessions.of = async (request) => {
    const [name, role] = String(request.headers['x-test'] ?? '').split(' ');
    return name ? { operator: { name, role: role as Role }, id: name } : undefined;
  };
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = new Client(url);
  return {
    app,
    url,
    client,
    async as(role, name = `the.${role}`) {
      const headers = { 'x-test': `${name} ${role}` };
      return {
        name,
        role,
        get: (path) => client.get(path, { headers }),
        post: (path, body) => client.post(path, body, { headers }),
      };
    },
    stop: () => app.close(),
  };
}
