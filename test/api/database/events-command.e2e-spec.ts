import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { CommandModule } from '../../../src/operators/cli/command.module.js';
import { EventsCommandModule } from '../../../src/operators/cli/events/events-command.module.js';
import { EventsCommand } from '../../../src/operators/cli/events/events.command.js';
import { registerEvents } from '../../../src/operators/cli/events/events.registration.js';
import { SettingsHistory } from '../../../src/platform/audit/settings-history.js';
import { SqlEditRecorder } from '../../../src/platform/audit/sql-edit-recorder.js';
import type { LoginEvent } from '../../../src/platform/audit/login-event.entity.js';
import type { RequestTrace } from '../../../src/operators/actions/events/request-search.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { RefusedRequestLog } from '../../../src/platform/audit/refused-request-log.js';
import { until } from '../../support/until.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { CheckCommandModule } from '../../../src/operators/cli/check/check-command.module.js';
import { CheckCommand } from '../../../src/operators/cli/check/check.command.js';
import { registerCheck } from '../../../src/operators/cli/check/check.registration.js';
import type { CheckResult } from '../../../src/operators/cli/check/check-result.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';
import { freePort } from '../../support/servers/free-port.js';
import { MailServer } from '../../support/servers/smtp.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';
import { runCommand } from '../../support/api/run-command.js';

let mail: MailServer;
let service: TestApp;
let folder: string;
const contexts: INestApplicationContext[] = [];

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({ env: { SMTP_URL: mail.url } });
  folder = temporaryFolder('settings');
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await service.stop();
  await mail.stop();
  removeFolder(folder);
});

async function contextOf(module: typeof CheckCommandModule | typeof EventsCommandModule) {
  const environment = service.app.get(Environment);
  const context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(environment, module),
    {
      logger: false,
      abortOnError: false,
    },
  );
  contexts.push(context);
  return context;
}

describe('gatehouse events', () => {
  it('reports guessed accounts, their sources and registrations', async () => {
    const context = await contextOf(EventsCommandModule);
    const run = (...args: string[]) =>
      runCommand(registerEvents, context.get(EventsCommand), ['events', ...args]);
    expect((await run('guesses')).text).toBe('Nobody failed to sign in.');
    const { id, account } = await createPlayer(service);
    const login = (password: string, from: string) =>
      service.client.post('/api/login', { account, password }, { from });
    for (const from of ['192.0.2.1', '192.0.2.2']) await login('guess', from);
    await login(PASSWORD, '192.0.2.3');
    const { id: server_id } = await addServer(service.database);
    const email = `${unique('m')}@mail.example`;
    await service.client.post('/api/send_code', { email });
    const form = { account: unique('a').slice(0, 20), password: PASSWORD, email, server_id };
    const code = await mail.codeFor(email);
    await service.client.post('/api/register', { ...form, code: '000000' });
    await service.client.post('/api/register', { ...form, code });
    await service.app.get(LoginEventLog).flush();

    expect((await run('guesses', '--since', '10m')).data).toMatchObject({
      accounts: [{ player: id, account, tries: 2, addresses: 2 }],
      addresses: [{ tries: 1 }, { tries: 1 }],
    });
    // Counts are per hour, and an hour may end during the test.
    const hours = (await run('registrations')).data as Array<{
      registered: number;
      refused: number;
    }>;
    const sum = (of: 'registered' | 'refused') => hours.reduce((all, hour) => all + hour[of], 0);
    expect([sum('registered'), sum('refused')]).toEqual([1, 1]);
    expect((await run('logins', '--address', '192.0.2.3')).data).toMatchObject([
      { outcome: 'ok', playerId: id },
    ]);
    const [wrong] = (await run('logins', '--outcome', 'code_invalid')).data as LoginEvent[];
    expect((await run('request', wrong!.requestId!)).data).toMatchObject({ logins: [wrong] });
    await service.app.get(SqlEditRecorder).recordAll();
    expect((await run('audit', '--subject', `server ${server_id}`)).data).toMatchObject([
      { act: 'server.add', operator: 'sql' },
    ]);
    expect((await run('audit', '--who', 'nobody')).text).toBe('There are none.');
    await expect(run('everything')).rejects.toThrow(CommanderError);
  });
});

describe('gatehouse events request', () => {
  it('shows a refused request of a player, a refused code and a withdrawal', async () => {
    const context = await contextOf(EventsCommandModule);
    const run = (id: string) =>
      runCommand(registerEvents, context.get(EventsCommand), ['events', 'request', id]);
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    const order = { server_id: 999_999, role_id: 1, amount: 100 };
    const refused = await service.client.post('/api/game/withdraw', order, { token });
    expect(refused.body.error).toBe('server_not_found');
    const email = newMailbox();
    await service.client.post('/api/send_code', { email });
    const malformed = await service.client.post('/api/send_code', { email: 'no mailbox' });
    const nobody = await service.client.post('/api/send_code', { email });
    expect(nobody.status).not.toBe(200);
    await until(async () => {
      await service.app.get(RefusedRequestLog).flush();
      const { data } = await run(nobody.body.request_id);
      return (data as RequestTrace).refusals.length > 0;
    });
    // Strangers could fill the table with these at no cost.
    expect((await run(malformed.body.request_id)).data).toMatchObject({ refusals: [] });
    const { text, data } = await run(refused.body.request_id.toLowerCase());
    expect(text).toMatch(/POST \/api\/game\/withdraw +server_not_found/);
    expect(data).toMatchObject({ refusals: [{ playerId: player.id }], logins: [] });

    const requestId = unique('r');
    await service.database.getRepository(Withdrawal).insert({
      playerId: player.id,
      serverId: 1,
      roleServerId: 1,
      roleId: 1,
      roleName: 'r',
      amount: 100,
      status: 'failed',
      reason: 'withdrawal_refused',
      requestId,
      createdAt: new Date(),
    });
    expect((await run(requestId)).text).toMatch(
      new RegExp(
        `^Withdrawal of player ${player.id}: gatehouse withdrawal show \\d+[^]*failed[^]*withdrawal_refused`,
      ),
    );
    expect((await run('01M7F4G9N25PTY9WAWNAD2MEZB')).text).toContain('it began at 2');
    expect((await run('of-a-caller')).text).toMatch(
      /a caller may choose its own.*grep -F -e of-a-caller$/,
    );
    await expect(run('x; reboot')).rejects.toThrow(CommanderError);
  });
});

describe('changes of the settings', () => {
  it('are in audit_event, with what changed and since when the instance uses them', async () => {
    const context = await contextOf(EventsCommandModule);
    const record = () => service.app.get(SqlEditRecorder).recordAll();
    const changes = async () =>
      (
        await runCommand(registerEvents, context.get(EventsCommand), [
          'events',
          'audit',
          '--act',
          'settings.change',
        ])
      ).text;
    await service.changeSettings({ day_max_reg: 77 });
    await record();
    expect(await changes()).toMatch(
      /settings\.change +settings of .*day_max_reg 1000 → 77.*since 2/,
    );
    const byName = await runCommand(registerEvents, context.get(EventsCommand), [
      'events',
      'audit',
      '--subject',
      'dragon_slayer',
    ]);
    expect(byName.text).toContain('looks like "player 42"');
    const before = await changes();
    await record();
    expect(await changes()).toBe(before);

    await service.changeSettings({ deny_ip: ['192.0.2.66'] });
    await service.changeSettings({ deny_ip: [] });
    await record();
    expect(await changes()).toMatch(/deny_ip \["192.0.2.66"\] → none[^]*deny_ip none → \["192/);
    const recorded = await changes();
    await record();
    expect(await changes()).toBe(recorded);

    const addresses = Array.from({ length: 8 }, (_, n) => `198.51.100.${n}`);
    await service.changeSettings({ deny_ip: addresses });
    await service.changeSettings({ deny_ip: [...addresses.slice(0, 7), '192.0.2.9'] });
    await record();
    expect(await changes()).toContain('deny_ip without 198.51.100.7, with 192.0.2.9 ');

    await service.changeSettings({ day_max_reg: 78 });
    await service.app.get(SettingsHistory).beforeApplicationShutdown();
    expect(await changes()).toContain('day_max_reg 1000 → 78');
  });
});

describe('gatehouse check', () => {
  it('reports one result per part of the deployment', async () => {
    const gm = await freePort();
    const silent = { gmAddress: '127.0.0.1', gmPort: gm };
    const server = await addServer(service.database, silent);
    const shut = await addServer(service.database, { ...silent, status: 'maintenance' });
    const context = await contextOf(CheckCommandModule);
    const check = (...args: string[]) =>
      runCommand(registerCheck, context.get(CheckCommand), ['check', ...args]);
    const mails = mail.mails.length;
    const { data, ok, text } = await check();
    expect(mail.mails.length).toBe(mails);
    const findings = data as CheckResult[];
    const of = (what: string) => findings.filter((finding) => finding.what === what);
    expect(of('settings')).toMatchObject([{ state: 'good' }]);
    expect(of('schema')).toMatchObject([{ state: 'good' }]);
    expect(of('foreign tables')).toMatchObject([{ state: 'good' }]);
    expect(of('mail')).toMatchObject([{ state: 'good' }]);
    expect(of('Redis')).toMatchObject([{ state: 'note' }]);
    expect(of('disk')).toHaveLength(1);
    expect(of('withdrawals')).toMatchObject([{ state: 'good' }]);
    expect(of(`server ${server.id}`)).toContainEqual(
      expect.objectContaining({ state: 'wrong', text: expect.stringContaining(`:${gm} is not`) }),
    );
    expect(ok).toBe(false);
    expect(text).toContain('WRONG');
    expect(of(`server ${shut.id}`)).toContainEqual(
      expect.objectContaining({ state: 'note', text: expect.stringContaining('in maintenance') }),
    );
    const alone = await check('--server', `${server.id}`);
    const about = (alone.data as CheckResult[]).map(({ what }) => what);
    expect(new Set(about)).toEqual(new Set([`server ${server.id}`, 'withdrawals']));
    expect((await check('--server', '99999')).ok).toBe(false);
    const [one, other] = [await addServer(service.database), await addServer(service.database)];
    await service.database.query(
      `UPDATE server SET merged_into = CASE id WHEN ${one.id} THEN ${other.id} ELSE ${one.id} END
        WHERE id IN (${one.id}, ${other.id})`,
    );
    for (const { id } of [one, other]) {
      const circle = await check('--server', `${id}`);
      expect([circle.ok, circle.text]).toEqual([false, expect.stringContaining('a circle')]);
      expect(circle.text).toContain(`gatehouse server merge ${id} --into none`);
    }
    await service.database.query(`DELETE FROM server WHERE id IN (${one.id}, ${other.id})`);
    if (inject('database').kind === 'embedded') return;
    expect(of('clocks')).toMatchObject([{ state: 'good' }]);
    expect(of('account database')).toMatchObject([
      { state: 'good', text: expect.stringMatching(/^(MariaDB|MySQL) \d/) },
    ]);
  });
});
