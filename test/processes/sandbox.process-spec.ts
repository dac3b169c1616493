import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../support/api/callback-signature.js';
import { Client } from '../support/api/client.js';
import { freePort } from '../support/servers/free-port.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { registerInSandbox, setGameServerFault } from '../support/servers/sandbox-player.js';

const SECRET = 'a-secret-of-the-game-servers';

let service: Gatehouse;
let client: Client;

beforeAll(async () => {
  const port = String(await freePort());
  service = await startGatehouse({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    GAME_CALLBACK_SECRET: SECRET,
  });
  client = new Client(service.url);
});
afterAll(() => service.stop());

describe('The sandbox on a first run', () => {
  it("prints the service's address", async () => {
    const [, address] = await service.process.waitForLine(/Gatehouse is open: +(\S+)/);
    expect(address).toBe(service.url);
  });

  it('offers two servers, a forum and a game client', async () => {
    const { servers } = (await client.get('/api/server/list')).body.data;
    expect(servers).toHaveLength(2);
    expect((await client.get('/api/config')).body.data).toMatchObject({
      forum_login: { enabled: true },
      game_client_url: `${service.url}/sandbox/client`,
    });
    for (const page of ['mail', 'gm', 'forum', 'client', 'style.css', 'client/client.js'])
      expect((await client.get(`/sandbox/${page}`)).status, page).toBe(200);
  });

  it("lets a visitor register with the mailed code and withdraw from the new account's roles", async () => {
    const token = await registerInSandbox(client, 'first_run');
    const roles = () => client.get('/api/game/roles?server_id=1', { token });
    const [warrior] = (await roles()).body.data.roles;
    expect(warrior).toMatchObject({ name: 'Warrior', balance: 25_000 });
    const withdraw = (amount: number) =>
      client.post(
        '/api/game/withdraw',
        { server_id: 1, role_id: warrior.role_id, amount },
        { token },
      );

    expect((await withdraw(5000)).body.data.status).toBe('succeeded');
    expect((await roles()).body.data.roles[0].balance).toBe(20_000);
    expect((await withdraw(50_000)).body.error).toBe('insufficient_balance');
    await setGameServerFault(client, 'refuse');
    expect((await withdraw(500)).body.error).toBe('withdrawal_refused');
    await setGameServerFault(client, 'error_after');
    const unknown = await withdraw(500);
    expect(unknown.status).toBe(202);
    expect(unknown.body.data.status).toBe('unknown');
    await setGameServerFault(client, 'none');
    expect((await withdraw(500)).body.error).toBe('withdrawal_open');
    expect((await roles()).body.data.roles[0].balance).toBe(19_500);
    const others = await client.get('/api/game/roles?server_id=1', {
      token: await registerInSandbox(client, 'other_run'),
    });
    expect(others.body.data.roles).toHaveLength(3);
    expect(others.body.data.roles[0].role_id).not.toBe(warrior.role_id);
  });

  it('verifies a token handed over to the game, as a game server would', async () => {
    const token = await registerInSandbox(client, 'handed_over');
    const verify = async (given: string) =>
      JSON.parse(
        (await client.post('/sandbox/client/verify', { account: 'handed_over', token: given }))
          .text,
      );
    expect(await verify(token)).toEqual([['/api/check', 'right, format jwt', 'good']]);
    expect(await verify('wrong')).toEqual([['/api/check', 'token_invalid', 'bad']]);
  });

  it('shows the requests to and from the game server, with the signed texts and the responses', async () => {
    const { text } = await client.get('/sandbox/gm');
    const page = text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
    expect(page).toMatch(/POST \/sandbox\/gm\/command HTTP\/1\.1\n(.+\n)+\nop=10030&server_id=1&/);
    expect(page).toMatch(/account=first_run&amount=5000&op=10030&order_no=W\d+-\w+&role_id=/);
    expect(page).toMatch(/HTTP\/1\.1 200\n\n\{"code":0,"order_no":"W/);
    expect(page).toMatch(
      /GET \/api\/link\?connect_id=1001 HTTP\/1\.1\n(.+\n)*X-Signature: [0-9a-f]{64}/,
    );
    expect(page).toMatch(/\d{10}\nGET\n\/api\/link\?connect_id=1001\n[0-9a-f]{64}/);
    expect(page).toContain('"error":"link_not_found"');
    expect(page).not.toContain(SECRET);
  });

  it('logs a visitor in through the forum, and handles a denied login', async () => {
    const come = async (person: string) => {
      const start = await client.get('/api/forumauth/authorize?return_to=/withdraw');
      const cookie = start.headers.get('set-cookie')!.split(';')[0]!;
      const asked = new URL(start.headers.get('location')!);
      const page = await client.get(asked.pathname + asked.search);
      expect(page.text).toContain('Aria the Bold');
      const form = new URLSearchParams({ person });
      for (const [, name = '', value = ''] of page.text.matchAll(/name="(\w+)" value="([^"]*)"/g))
        if (name !== 'person') form.set(name, value);
      const consent = await client.send('POST', '/sandbox/forum/consent', {
        body: form.toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      const back = new URL(consent.headers.get('location')!);
      const landed = await client.get(back.pathname + back.search, { headers: { Cookie: cookie } });
      return new URLSearchParams(new URL(landed.headers.get('location')!).hash.slice(1));
    };
    expect((await come('')).get('error')).toBe('forum_denied');
    const landing = await come('1001');
    expect(landing.get('linked')).toBe('0');
    const bound = await client.post('/api/forumauth/bind', { ticket: landing.get('ticket') });
    expect(bound.body.data.created).toBe(true);
    expect((await come('1001')).get('linked')).toBe('1');
    const path = '/api/link?connect_id=1001';
    const headers = signatureHeaders({ method: 'GET', path, secret: SECRET });
    const link = await client.get(path, { headers });
    expect(link.body.data.account).toBe(bound.body.data.account);
  });
});
