import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { ThrottledRequests } from '../../src/platform/http/request/request-log.middleware.js';
import { PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { type CapturedLog, captureLog } from '../support/api/captured-log.js';
import { addServer, createPlayer, tokenOf } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { until } from '../support/until.js';

let service: TestApp;
let captured: CapturedLog;

beforeAll(async () => {
  service = await startApp({ extraModules: [ProbeModule] });
});
beforeEach(() => (captured = captureLog()));
afterEach(() => captured.release());
afterAll(() => service.stop());

const socketTo = () => connect(Number(new URL(service.url).port), '127.0.0.1');

describe('The request log', () => {
  it('omits requests from an address on the deny list', async () => {
    await service.changeSettings({ deny_ip: ['203.0.113.9'] });
    for (const path of ['/api/health/live', '/'])
      expect((await service.client.get(path, { from: '203.0.113.9' })).status).toBe(403);
    await service.client.get('/api/health/live', { headers: { 'X-Request-Id': 'allowed' } });
    await until(() => captured.requests.length > 0);
    expect(captured.requests.map(({ request_id }) => request_id)).toEqual(['allowed']);
    await service.changeSettings({});
  });

  it("contains one line and a total for an address's rate-limited requests", async () => {
    // Stops the timer so that only the test ends the minute whose requests are totalled.
    clearInterval(service.app.get(ThrottledRequests)['timer']);
    await service.changeSettings({ rate_limit: { per_minute: 3 } });
    const from = '203.0.113.77';
    for (let request = 0; request < 10; request++)
      await service.client.get('/api/config', { from });
    await service.changeSettings({});
    await service.client.get('/api/config', { headers: { 'X-Request-Id': 'after' } });
    await until(() => captured.requests.some(({ request_id }) => request_id === 'after'));
    const lines = captured.requests.filter(({ address }) => address === from);
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    service.app.get(ThrottledRequests).flush();
    const sums = captured.lines.filter(({ requests }) => requests !== undefined);
    expect(sums).toMatchObject([{ address: from, status: 429, requests: 6 }]);
  });

  it("contains neither a failed statement's values nor the driver's message", async () => {
    const player = await createPlayer(service);
    const { password } = await service.database
      .getRepository(Player)
      .findOneOrFail({ select: { password: true }, where: { id: player.id } });
    const { account } = player;
    const answer = await service.client.post('/api/probe/insert', { account, password });
    expect(answer.body.error).toBe('internal_error');
    expect(captured.text).toContain('unexpected error');
    expect(captured.text).toMatch(/"code":"(ER_DUP_ENTRY|SQLITE_CONSTRAINT)/);
    expect(captured.text).toContain('INSERT INTO player');
    expect(captured.text).not.toContain(password);
    expect(captured.text).not.toContain(account);
  });

  it('contains the request id in every line and the reason for a failure', async () => {
    const ask = (path: string, body: object, id: string) =>
      service.client.post(path, body, { headers: { 'X-Request-Id': id } });
    const { id: server_id } = await addServer(service.database);
    const { account } = await createPlayer(service);
    await ask('/api/probe/insert', { account, password: 'taken' }, 'unexpected');
    await ask('/api/send_code', { email: 'nobody@example.com' }, 'no-mail');
    const form = { account: 'newcomer', password: 'long enough', email: 'a@example.com' };
    await ask('/api/register?agent_id=x', { ...form, code: '123456', server_id }, 'agent');
    const linesOf = (id: string) =>
      captured.lines.filter(({ request_id }) => request_id === id).map(({ msg }) => msg);
    await until(() => captured.requests.length === 3);
    expect(captured.lines.every(({ request_id }) => request_id !== undefined)).toBe(true);
    expect(linesOf('unexpected')).toEqual(['unexpected error', 'request']);
    expect(linesOf('no-mail')).toEqual(['no SMTP_URL is set', 'request']);
    expect(linesOf('agent')).toEqual(['an ill-formed agent_id is ignored', 'request']);
  });

  it('names the player only for a request with a valid JWT', async () => {
    const player = await createPlayer(service);
    const old = tokenOf(service, player, { ver: 7 });
    for (const token of [tokenOf(service, player), old, undefined])
      await service.client.get('/api/probe/anyone', { token });
    await until(() => captured.requests.length === 3);
    const ids = captured.requests.map(({ player_id }) => player_id);
    expect(ids).toEqual([player.id, undefined, undefined]);
  });

  it('names the player of a successful or failed sign-in, without the password', async () => {
    const { id, account } = await createPlayer(service);
    for (const password of [PASSWORD, 'wrong'])
      await service.client.post('/api/login', { account, password });
    await until(() => captured.requests.length === 2);
    const [success, failure] = captured.requests;
    expect(success).toMatchObject({ player_id: id, status: 200 });
    expect(success).not.toHaveProperty('error');
    expect(failure).toMatchObject({ player_id: id, error: 'bad_credentials' });
    expect(captured.text).not.toContain(PASSWORD);
  });

  it('contains the right id for each of several pipelined requests', async () => {
    const ids = ['first', 'second', 'third'];
    const socket = socketTo();
    socket.write(
      ids
        .map((id) => `GET /api/probe/${id} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`)
        .join(''),
    );
    await until(() => captured.requests.length === 3);
    socket.destroy();
    for (const { path, request_id } of captured.requests)
      expect(path).toBe(`/api/probe/${String(request_id)}`);
  });

  it('contains the id of an aborted request', async () => {
    const socket = socketTo();
    socket.write(
      'POST /api/probe/echo HTTP/1.1\r\nHost: x\r\nX-Request-Id: cut\r\nContent-Length: 9\r\n' +
        'X-Forwarded-For: 198.51.100.1\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');
    socket.resetAndDestroy();
    await until(() => captured.requests.length === 1);
    expect(captured.requests[0]).toMatchObject({
      request_id: 'cut',
      aborted: true,
      address: '198.51.100.1',
    });
  });

  it('contains what operators need, but not the query, which may contain a token', async () => {
    const from = '198.51.100.9';
    const answer = await service.client.get('/api/server/list?token=s3cret', { from });
    await until(() => captured.requests.length === 1);
    expect(captured.requests[0]).toMatchObject({
      level: 'info',
      request_id: answer.headers.get('x-request-id'),
      method: 'GET',
      path: '/api/server/list',
      status: 200,
      ms: expect.any(Number),
      address: from,
    });
    expect(captured.text).not.toContain('s3cret');
  });

  it('truncates a path after 200 characters', async () => {
    await service.client.get(`/${'x'.repeat(8000)}?token=t`);
    await until(() => captured.requests.length === 1);
    expect(captured.requests[0]).toMatchObject({ path: `/${'x'.repeat(199)}` });
    expect(captured.text.length).toBeLessThan(600);
  });

  it.each([
    ['http://user:pass@x/api/nope?token=t', '/api/nope'],
    ['http://[::1?token=t', '/http%3A%2F%2F%5B%3A%3A1'],
    ['/api\\nope?token=t#', '/api\\nope'],
  ])('omits host and query of the request target %s', async (target, path) => {
    const socket = socketTo();
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => captured.requests.length === 1);
    socket.destroy();
    expect(captured.requests[0]).toMatchObject({ path });
  });
});
