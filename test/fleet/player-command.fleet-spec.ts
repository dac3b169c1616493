import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Counters } from '../../src/platform/counters/counters.js';
import { RedisConnection } from '../../src/platform/counters/redis-connection.js';
import { AuditEvent } from '../../src/platform/audit/audit.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { type Redis, startRedis } from '../support/servers/redis.js';
import { until } from '../support/until.js';
import { startPlayerCommand, type TestCommand } from '../support/api/run-command.js';

let redis: Redis;
let service: TestApp;
let command: TestCommand;

beforeAll(async () => {
  redis = await startRedis();
  service = await startApp({ env: { REDIS_URL: redis.url }, extraModules: [ProbeModule] });
  command = await startPlayerCommand(service);
  for (const app of [service.app, command.context])
    await until(() => app.get(RedisConnection).state === 'up');
});
afterAll(async () => {
  await command.stop();
  await service.stop();
  await redis.stop();
});

const WHO = ['--by', 'anna', '--note', 'ticket 811', '--yes'];
const run = (...args: string[]) => command.run(...args);
const act = (...args: string[]) => run(...args, ...WHO);
const login = (account: string, password: string, from = '192.0.2.1') =>
  service.client.post('/api/login', { account, password }, { from });
const lastAct = async (id: number) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'DESC' } })
  )[0];

describe('gatehouse player with Redis', () => {
  it('describes locks in words', async () => {
    const { account } = await createPlayer(service);
    await login(account, PASSWORD, '192.0.2.10');
    for (let n = 0; n < 5; n++) await login(account, 'wrong', '192.0.2.11');
    for (let n = 0; n < 2; n++) await login(account, 'wrong', '192.0.2.12');
    await service.app.get(LoginEventLog).flush();
    const { text } = await run('show', account);
    expect(text).toMatch(/locked for 192\.0\.2\.11 until \d{4}-\d\d-\d\d \d\d:\d\d UTC; 5 of 5/);
    expect(text).toContain('not locked for 192.0.2.12: 2 of 5 failed');
  });

  it('shows who is locked out by failed logins, and does not report an account as locked if its owner can use it', async () => {
    const sentence = async (who: string) => {
      await service.app.get(LoginEventLog).flush();
      return (await run('show', who)).text.split('\n')[0];
    };
    const guess = async (who: string, from: string, times = 1) => {
      for (let n = 0; n < times; n++) await login(who, 'wrong', from);
    };
    const { account } = await createPlayer(service);
    const home = '192.0.2.50';
    await login(account, PASSWORD, home);
    expect(await sentence(account)).toBe(`${account} can sign in and withdraw.`);

    for (let n = 0; n < 6; n++) await guess(account, `198.51.100.${100 + n}`, 5);
    expect((await login(account, PASSWORD, home)).status).toBe(200);
    expect((await login(account, PASSWORD, '192.0.2.51')).body.error).toBe('login_throttled');
    expect(await sentence(account)).toMatch(
      /can sign in and withdraw; after many guesses it can sign in only from addresses that it used within 30 days \(1\), until 20.* UTC; addresses locked after failed logins that did not sign it in within 30 days: 6\.$/,
    );
    const { text } = await run('show', account);
    expect(text).toContain('Nothing: it can sign in with its name and password.');
    expect(text).toMatch(
      /Locks\nlocked for every address that did not sign it in [^]*… and 1 more locks of addresses that did not sign it in/,
    );

    await guess(account, home, 5);
    expect((await login(account, PASSWORD, home)).body.error).toBe('login_throttled');
    expect(await sentence(account)).toMatch(
      /cannot sign in, but can still withdraw in its open sessions: failed logins locked it at 192\.0\.2\.50, from which it signs in, until/,
    );

    const { account: newcomer } = await createPlayer(service);
    for (let n = 0; n < 6; n++) await guess(newcomer, `198.51.100.${120 + n}`, 5);
    expect((await login(newcomer, PASSWORD, '192.0.2.52')).body.error).toBe('login_throttled');
    expect(await sentence(newcomer)).toMatch(
      /can neither sign in nor withdraw: failed logins locked it for everybody until/,
    );
  });

  it('shows every lock, a few counts and the last successful sign-in', async () => {
    const { account } = await createPlayer(service);
    await login(account, PASSWORD, '192.0.2.30');
    for (let n = 0; n < 12; n++) await login(account, 'wrong', `198.51.100.${n}`);
    for (let n = 0; n < 5; n++) await login(account, 'wrong', '198.51.100.0');
    await service.app.get(LoginEventLog).flush();
    const { text } = await run('show', account);
    expect(text).toContain('locked for 198.51.100.0 until');
    expect(text.match(/^not locked/gm)).toHaveLength(5);
    expect(text).toMatch(/^… and \d+ more counts that lock nothing$/m);
    expect(text).toMatch(/^signed in last \(UTC\) +.* from 192\.0\.2\.30$/m);
    const { account: quiet } = await createPlayer(service);
    expect((await run('show', quiet)).text).toContain('Locks\nNo lock.');
  });

  it('unlocks a player and audits the counts that it removed', async () => {
    const { id, account } = await createPlayer(service);
    const from = '192.0.2.20';
    for (let n = 0; n < 5; n++) await login(account, 'wrong', from);
    expect((await login(account, PASSWORD, from)).body.error).toBe('login_throttled');
    await service.app.get(LoginEventLog).flush();
    expect((await act('unlock', account)).text).toContain('locked for 192.0.2.20');
    expect((await login(account, PASSWORD, from)).status).toBe(200);
    expect(await lastAct(id)).toMatchObject({ act: 'player.unlock', operator: 'anna' });
    expect((await run('show', account)).text).toMatch(
      /player\.unlock +player \d+ +\d+ counts reset/,
    );
  });

  it("unlocks an IPv6 address's networks as well", async () => {
    const { account } = await createPlayer(service);
    const address = '2001:db8:5:601::1';
    const tally = service.app.get(Counters).create('login_address');
    for (const network of ['2001:db8:5:600::/56', '2001:db8:5:0::/48'])
      await tally.lock(network, 600);
    expect((await login(account, PASSWORD, address)).body.error).toBe('login_throttled');
    await act('unlock', account, '--address', address);
    expect((await login(account, PASSWORD, address)).status).toBe(200);
  });
});
