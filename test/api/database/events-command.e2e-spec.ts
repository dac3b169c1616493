import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { Like } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import {
  EventsCommandModule,
  EventsCommand,
} from '../../../src/operators/cli/events/events.command.js';
import {
  SettingsCommand,
  SettingsCommandModule,
} from '../../../src/operators/cli/settings/settings.command.js';
import { registerSettings } from '../../../src/operators/cli/settings/settings.options.js';
import { registerEvents } from '../../../src/operators/cli/events/events.options.js';
import { SettingsHistory } from '../../../src/platform/audit/settings-history.js';
import { SqlEditsService } from '../../../src/platform/audit/sql-edits.service.js';
import {
  AuditEvent,
  type LoginEvent,
  MailEvent,
} from '../../../src/platform/audit/audit.entity.js';
import type {
  EventSearch,
  RequestTrace,
} from '../../../src/operators/actions/events/event-search.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { until } from '../../support/until.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import {
  CheckCommandModule,
  CheckCommand,
} from '../../../src/operators/cli/check/check.command.js';
import { registerCheck } from '../../../src/operators/cli/check/check.options.js';
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

async function contextOf(module: Type) {
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
  it('reports attacked accounts, the sources of the guesses and registrations', async () => {
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
    const from = '192.0.2.4';
    // Repeated failures of the same account are stored at the end of their minute.
    for (let n = 0; n < 5; n++) {
      const other = await createPlayer(service);
      const body = { account: other.account, password: 'x' };
      await service.client.post('/api/login', body, { from });
    }
    await login(PASSWORD, from);
    await service.app.get(LoginEventLog).flush();
    const found = await run('guesses', '--since', '10m');
    expect(found.data).toMatchObject({ sign_ins: [{ player: id, address: from, tries: 5 }] });
    expect(found.text).toMatch(new RegExp(`^Right password after[^]*${account} +192.0.2.4 +5 `));
    // Registrations are counted per hour, and an hour may end during the test.
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
    await service.app.get(SqlEditsService).recordAll();
    expect((await run('audit', '--subject', `server ${server_id}`)).data).toMatchObject([
      { act: 'server.add', operator: 'sql' },
    ]);
    expect((await run('audit', '--who', 'nobody')).text).toBe('There are none.');
    await expect(run('everything')).rejects.toThrow(CommanderError);
  });
});

describe('gatehouse events request', () => {
  it("shows a player's rejected request, a rejected code and a withdrawal", async () => {
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
      await service.app.get(RequestEventLog).flush();
      const { data } = await run(nobody.body.request_id);
      return (data as RequestTrace).refusals.length > 0;
    });
    // Malformed requests are not stored because strangers could fill the table with them.
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

describe('gatehouse events mails', () => {
  it('reports outcomes, times and the last reply for each domain', async () => {
    const context = await contextOf(EventsCommandModule);
    const run = () => runCommand(registerEvents, context.get(EventsCommand), ['events', 'mails']);
    const address = `${unique('m')}@quick.example`;
    await service.client.post('/api/send_code', { email: address });
    await mail.codeFor(address);
    const rows = service.database.getRepository(MailEvent);
    // The mail server has the e-mail before the service has recorded it.
    await until(async () => {
      await service.app.get(MailEventLog).flush();
      return rows.existsBy({ mailbox: Like('%@quick.example') });
    });
    const row = {
      createdAt: new Date(),
      playerId: null,
      kind: 'code',
      mailbox: 'a•••@slow.example',
    };
    for (const [outcome, ms, reply] of [
      ['sent', 9000, null],
      ['sent', 200, null],
      ['sent', 8100, null],
      ['failed', 10_000, 451],
      ['held_back', null, null],
    ] as const)
      await rows.insert({ ...row, outcome, ms, reply });
    await rows.insert({ ...row, createdAt: new Date(0), outcome: 'failed', ms: 1, reply: null });
    // One slow e-mail among many does not make a domain slow.
    const quick = { ...row, mailbox: 'a•••@quick.example', outcome: 'sent' as const, reply: null };
    for (const ms of [4000, ...Array<number>(9).fill(100)]) await rows.insert({ ...quick, ms });
    const { data, text } = await run();
    const { domains, total } = data as Awaited<ReturnType<EventSearch['mails']>>;
    expect(total).toBe(domains.length);
    expect(domains.find(({ domain }) => domain === 'slow.example')).toEqual({
      domain: 'slow.example',
      sent: 3,
      failed: 1,
      held_back: 1,
      median_ms: 8100,
      slowest_ms: 10_000,
      last: row.createdAt.toISOString(),
      last_outcome: 'failed',
      last_reply: 451,
      is_slow: true,
    });
    expect(domains.find(({ domain }) => domain === 'quick.example')).toMatchObject({
      sent: 11,
      failed: 0,
      slowest_ms: 4000,
      is_slow: false,
      median_ms: expect.any(Number),
      last_reply: 250,
    });
    expect(text).toMatch(/slow\.example +3 +1 +1 +8\.1 s +10\.0 s +451 /);
  });
});

describe('gatehouse events promoters', () => {
  it('prints players by promoter and day, also as CSV, and lists unknown promoters separately', async () => {
    const context = await contextOf(EventsCommandModule);
    const run = (...args: string[]) =>
      runCommand(registerEvents, context.get(EventsCommand), ['events', 'promoters', ...args]);
    await service.database.query("INSERT INTO agent (id, name) VALUES (7101, '=north')");
    for (const agentId of [7101, 7101, 7109]) await createPlayer(service, { agentId });
    const { text } = await run('--since', '1d');
    expect(text).toMatch(
      /7101 +=north +2 +0 +0 +0\n\nPromoters that the table agent does not have/,
    );
    expect(text).toMatch(/7109 +\S* +1 +0 +0 +0/);
    const csv = (await run('--csv')).text.split('\n');
    expect(csv[0]).toBe('day,promoter,name,registered,entered,withdrew,amount');
    expect(csv).toContainEqual(expect.stringMatching(/^20..-..-..,7101,'=north,2,0,0,0$/));
    expect(csv.at(-1)).toMatch(/^20..-..-..,7109,,1,0,0,0$/);
    await expect(run('--since', '400d')).rejects.toThrow('at most 366 days');
  });
});

describe('Settings changes', () => {
  it('are recorded in audit_event with what changed and when the instance applied them', async () => {
    const context = await contextOf(EventsCommandModule);
    const record = () => service.app.get(SqlEditsService).recordAll();
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

  it('name the operator who applied them by command, and call every other change a direct edit', async () => {
    const file = service.app.get(Environment).SETTINGS_FILE;
    const draft = join(folder, 'draft.yaml');
    const settings = service.app.get(Settings);
    const newest = async () => {
      await service.app.get(SqlEditsService).recordAll();
      const where = { act: 'settings.change' };
      const [event] = await service.database
        .getRepository(AuditEvent)
        .find({ where, order: { id: 'DESC' }, take: 1 });
      return event;
    };
    const isInForce = (cap: number) => until(() => settings.current.day_max_reg === cap);
    const apply = async (...more: string[]) => {
      const context = await contextOf(SettingsCommandModule);
      const line = ['settings', 'apply', draft, '--by', 'anna', '--note', 'fewer bots', ...more];
      return runCommand(registerSettings, context.get(SettingsCommand), line);
    };
    await service.changeSettings({ day_max_reg: 80 });
    expect(await newest()).toMatchObject({
      operator: 'settings',
      note: expect.stringMatching(/^a direct edit of /),
    });

    const replaced = readFileSync(file, 'utf8');
    writeFileSync(draft, 'day_max_reg: lots');
    expect(await apply('--yes')).toMatchObject({ ok: false });
    writeFileSync(draft, 'day_max_reg: 81');
    await expect(apply()).rejects.toThrow(/day_max_reg: 80 → 81[^]*add --yes/);
    expect(readFileSync(file, 'utf8')).toBe(replaced);
    chmodSync(file, 0o640);
    const { text } = await apply('--yes');
    expect(text).toContain('is replaced');
    expect(readFileSync(file, 'utf8')).toBe('day_max_reg: 81');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const copies = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
    expect(copies).toEqual([basename(file)]);
    await isInForce(81);
    expect(await newest()).toMatchObject({
      operator: 'anna',
      note: expect.stringMatching(/^fewer bots .*settings apply/),
      before: { day_max_reg: 80 },
    });
    const { data } = await runCommand(
      registerEvents,
      (await contextOf(EventsCommandModule)).get(EventsCommand),
      ['events', 'audit', '--act', 'settings.apply'],
    );
    expect(data).toMatchObject([
      { operator: 'anna', before: { day_max_reg: 80 }, after: { day_max_reg: 81 } },
    ]);

    for (const cap of [82, 81]) {
      writeFileSync(file, `day_max_reg: ${cap}`);
      await isInForce(cap);
    }
    expect(await newest()).toMatchObject({ operator: 'settings', after: { day_max_reg: 81 } });

    // Both changes are recorded in the same run, the direct edit first.
    writeFileSync(file, 'day_max_reg: 83');
    await isInForce(83);
    writeFileSync(draft, 'day_max_reg: 84');
    await apply('--yes');
    await isInForce(84);
    expect(await newest()).toMatchObject({ operator: 'anna', before: { day_max_reg: 83 } });
  });
});

describe('gatehouse check', () => {
  it('reports one result per component of the deployment', async () => {
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
