import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandModule } from '../../src/operators/cli/command.module.js';
import { PlayerCommandModule } from '../../src/operators/cli/player/player-command.module.js';
import { PlayerCommand } from '../../src/operators/cli/player/player.command.js';
import { registerPlayer } from '../../src/operators/cli/player/player.registration.js';
import { Environment } from '../../src/platform/config/environment.js';
import { Counters } from '../../src/platform/counters/counters.js';
import { RedisConnection } from '../../src/platform/counters/redis-connection.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { PASSWORD } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { type Redis, startRedis } from '../support/servers/redis.js';
import { until } from '../support/until.js';
import { runCommand } from '../support/api/run-command.js';

let redis: Redis;
let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  redis = await startRedis();
  service = await startApp({ env: { REDIS_URL: redis.url }, extraModules: [ProbeModule] });
  context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(service.app.get(Environment), PlayerCommandModule),
    { logger: false, abortOnError: false },
  );
  for (const app of [service.app, context])
    await until(() => app.get(RedisConnection).state === 'up');
});
afterAll(async () => {
  await context.close();
  await service.stop();
  await redis.stop();
});

const WHO = ['--by', 'anna', '--note', 'ticket 811', '--yes'];
const run = (...args: string[]) =>
  runCommand(registerPlayer, context.get(PlayerCommand), ['player', ...args]);
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
  it('shows locks in words', async () => {
    const { account } = await createPlayer(service);
    await login(account, PASSWORD, '192.0.2.10');
    for (let n = 0; n < 5; n++) await login(account, 'wrong', '192.0.2.11');
    for (let n = 0; n < 2; n++) await login(account, 'wrong', '192.0.2.12');
    await service.app.get(LoginEventLog).flush();
    const { text } = await run('show', account);
    expect(text).toMatch(/locked for 192\.0\.2\.11 until \d{4}-\d\d-\d\d \d\d:\d\d UTC; 5 of 5/);
    expect(text).toContain('not locked for 192.0.2.12: 2 of 5 failed');
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
      /player\.unlock +player \d+ +\d+ counts ended/,
    );
  });

  it('unlocks the networks of an IPv6 address as well', async () => {
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
