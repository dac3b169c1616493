import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorName } from '../../src/platform/http/errors/error-table.js';
import { newMailbox, PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { addServer, createPlayer, passwordHash } from '../support/api/factories.js';
import { registrationForm, storeCode } from '../support/api/registration.js';
import { MailServer } from '../support/servers/smtp.js';

const NONSENSE: Array<[string, unknown]> = [
  ['0', 0],
  ['-1', -1],
  ['1.5', 1.5],
  ['an empty string', ''],
  ['null', null],
  ['true', true],
  ['[]', []],
  ['[0]', [0]],
  ['{}', {}],
  ['{"$ne":1}', { $ne: 1 }],
  ['{"constructor":1}', { constructor: 1 }],
  ['2000 nested lists', nested(2000)],
  ['1 MB of text', 'x'.repeat(1024 * 1024)],
  ['a lone surrogate', 'abcdef\ud800'],
  ['a NUL character', 'abcdef\0'],
];
// Browsers may omit these fields or leave them empty.
const MAY_BE_EMPTY = ['device', 'os', 'browse'];

function nested(depth: number): unknown {
  let list: unknown[] = [];
  for (let level = 1; level < depth; level++) list = [list];
  return list;
}

type Route = [path: string, valid: Record<string, unknown>];

let mail: MailServer;
let service: TestApp;
let serverId: number;
let routes: Route[];

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({ env: { SMTP_URL: mail.url } });
  serverId = (await addServer(service.database)).id;
  routes = await validRequests();
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

async function validRequests(): Promise<Route[]> {
  const { account } = await createPlayer(service);
  const token = passwordHash(service, PASSWORD);
  const email = newMailbox();
  const { account: forgetful } = await createPlayer(service, { email });
  const code = await storeCode(service, email);
  const machine = { device: 'd', os: 'o', browse: 'b' };
  return [
    ['/api/send_code', { email: newMailbox() }],
    ['/api/login', { account, password: PASSWORD }],
    ['/api/check', { account, token }],
    ['/api/reset_password', { account: forgetful, email, code, password: 'a new one' }],
    ['/api/register', { ...(await registrationForm(service, serverId)), ...machine }],
  ];
}

/** Tests every field of every route in parallel, one field per request. */
function forEveryField(send: (path: string, valid: Route[1], field: string) => Promise<void>) {
  const fields = routes.flatMap(([path, valid]) =>
    Object.keys(valid).map((field) => send(path, valid, field)),
  );
  return Promise.all(fields);
}

function expectRefused(answer: Answer, what: string): void {
  expect(answer.status, what).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.body, what).toMatchObject({
    code: ERROR_TABLE[answer.body.error as ErrorName][0],
    message: expect.any(String),
    request_id: expect.any(String),
  });
}

describe('The account routes', () => {
  it.each(NONSENSE)('reject %s in every field', async (_, nonsense) => {
    await forEveryField(async (path, valid, field) => {
      const empty = nonsense === '' || nonsense === null;
      if (empty && MAY_BE_EMPTY.includes(field)) return;
      const answer = await service.client.post(path, { ...valid, [field]: nonsense });
      expectRefused(answer, `${path} ${field}`);
    });
  });

  it('require every field', async () => {
    await forEveryField(async (path, valid, field) => {
      if (MAY_BE_EMPTY.includes(field)) return;
      const answer = await service.client.post(path, { ...valid, [field]: undefined });
      expect(answer.body.error, `${path} ${field}`).toBe('invalid_request');
      expect(answer.body.details, `${path} ${field}`).toMatchObject([{ field }]);
    });
  });

  it('reject invalid values in a query', async () => {
    const texts = ['', '0', '[]', '%00', '%ED%A0%80', '%F0%9F', "'%20OR%201=1", 'x'.repeat(3000)];
    for (const text of texts) {
      expectRefused(await service.client.get(`/api/check?account=${text}&token=x`), text);
      expectRefused(await service.client.get(`/api/check?account=x&token=${text}`), text);
      expectRefused(await service.client.get(`/api/check?account[$ne]=${text}&token=x`), text);
    }
  });

  it('accept valid values', async () => {
    for (const [path, valid] of await validRequests())
      expect((await service.client.post(path, valid)).body.error, path).toBeUndefined();
  });

  it('respond to generated bodies with success or a uniform error', async () => {
    const field = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
    const request = fc.constantFrom(...routes).chain(([path, valid]) => {
      const made = Object.entries(valid).map(([name, value]) => {
        const oneOf = fc.oneof(fc.constant(value), fc.constant(undefined), field);
        return [name, oneOf] as const;
      });
      return fc.tuple(fc.constant(path), fc.record(Object.fromEntries(made)));
    });
    await fc.assert(
      fc.asyncProperty(request, async ([path, body]) => {
        const answer = await service.client.post(path, body);
        if (answer.status !== 200) expectRefused(answer, `${path} ${JSON.stringify(body)}`);
      }),
      // Shrinking would send hundreds of requests, and the counterexample is small anyway.
      { numRuns: 150, endOnFailure: true },
    );
  });
});
