import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NestFactory } from '@nestjs/core';
import { CommandModule } from '../../src/operators/cli/command-context.js';
import { CheckCommandModule, CheckCommand } from '../../src/operators/cli/check/check.command.js';
import { registerCheck } from '../../src/operators/cli/check/check.options.js';
import type { CheckResult } from '../../src/operators/cli/check/check-result.js';
import { Environment } from '../../src/platform/config/environment.js';
import { runCommand } from '../support/api/run-command.js';
import { emptyProgram } from '../../src/operators/cli/run-program.js';
import { checkSettings } from '../../src/operators/cli/settings/settings.command.js';
import { fleetStatus } from '../../src/operators/cli/status/status.command.js';
import { registerStatus } from '../../src/operators/cli/status/status.options.js';
import { configuredInstances } from '../../src/operators/actions/instances/instance-metrics.js';
import type { InstanceMetrics } from '../../src/operators/actions/instances/instance-metrics.js';
import type { InstanceStatus } from '../../src/operators/actions/instances/instance-status.js';
import { unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { freePort } from '../support/servers/free-port.js';
import { MailServer } from '../support/servers/smtp.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

let isRefusing = false;
let mail: MailServer;
let service: TestApp;
let folder: string;
const contexts: INestApplicationContext[] = [];

beforeAll(async () => {
  mail = await MailServer.start({
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
  });
  service = await startApp({ env: { SMTP_URL: mail.url } });
  folder = temporaryFolder('settings');
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await service.stop();
  await mail.stop();
  removeFolder(folder);
});

describe('gatehouse status', () => {
  it('shows the state of each instance, including one that does not respond', async () => {
    const good = await fleetStatus([service.url]);
    expect(good).toMatchObject({ ok: true, data: [{ ready: true, problem: null }] });
    const email = `${unique('m')}@mail.example`;
    await service.client.post('/api/send_code', { email });
    const short = service.url.replace('http://', '');
    const settings = { desk: { four_eyes_above: 0, instances: [short, `${service.url}/`] } };
    const known = () =>
      configuredInstances({ HOST: '::', PORT: 1 }, settings).map(({ url }) => url);
    // An instance that is listed twice is queried once.
    const { data, text } = await fleetStatus(known());
    const [one, ...others] = data as Array<InstanceStatus & InstanceMetrics>;
    expect(others).toEqual([]);
    expect(one).toMatchObject({ ready: true, database: 'up' });
    expect(one!.mails_last_10_minutes).toEqual({ taken: 1, failed: {} });
    expect(text).toContain('1 taken, 0 failed');
    expect(one!.slowest_mail).toBeGreaterThan(0);
    settings.desk.instances = [];
    expect(known()).toEqual(['http://[::1]:1']);
    const dead = `http://127.0.0.1:${await freePort()}`;
    const both = await fleetStatus([service.url, dead]);
    expect(both).toMatchObject({ ok: false, data: [{ ready: true }, { ready: false }] });
    expect(both.text).toContain('ECONNREFUSED');
  });

  it("exits with 1 and shows the mail server's reply while it rejects messages", async () => {
    await service.changeSettings({ desk: { instances: [service.url] } });
    const context = await NestFactory.createApplicationContext(
      CommandModule.forRoot(service.app.get(Environment), CheckCommandModule),
      { logger: false, abortOnError: false },
    );
    contexts.push(context);
    const check = async (what = /^mail/) => {
      const { data } = await runCommand(registerCheck, context.get(CheckCommand), ['check']);
      return (data as CheckResult[]).filter((result) => what.test(result.what));
    };
    expect(await check()).toMatchObject([{ state: 'good' }, { what: 'mails', state: 'good' }]);
    isRefusing = true;
    const states = [];
    for (let n = 0; n < 3; n++) {
      const { body } = await service.client.post('/api/send_code', {
        email: `${unique('m')}@mail.example`,
      });
      expect(body.error).toBe('mail_unavailable');
      states.push((await check())[1]?.state);
    }
    isRefusing = false;
    // One or two failures may be caused by e-mail addresses that do not exist.
    expect(states).toEqual(['note', 'note', 'wrong']);
    const { ok, text, data } = await fleetStatus([service.url]);
    expect([ok, text]).toEqual([false, expect.stringContaining('1 taken, 3 failed (451: 3)')]);
    expect(text).toContain('too many mails fail');
    expect(data).toMatchObject([{ problem: 'too many mails fail' }]);
    expect(await check()).toMatchObject([
      { state: 'good' },
      { what: 'mails', state: 'wrong', text: expect.stringContaining('3 failed (451: 3)') },
    ]);
    const dead = `http://127.0.0.1:${await freePort()}`;
    await service.changeSettings({ desk: { instances: [dead] } });
    await until(async () => (await check(/^instance$/)).length > 0);
    expect(await check(/^instance$/)).toMatchObject([
      { state: 'wrong', text: `${dead} does not answer: start it, or read its log` },
    ]);
  });

  it('exits with 1 if an instance or its e-mails are slow', async () => {
    const slow = ['event_loop', 'mail'];
    const server = createServer(({ url }, answer) => {
      const metrics = slow.map((what) => `gatehouse_${what}_slow 1\n`).join('');
      answer.end(url === '/api/metrics' ? metrics : JSON.stringify({ data: { redis: 'off' } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const status = () => fleetStatus([`http://127.0.0.1:${port}`]);
    expect(await status()).toMatchObject({
      ok: false,
      data: [{ problem: 'its event loop lags by half a second or more, mails are slow' }],
    });
    slow.length = 0;
    expect(await status()).toMatchObject({ ok: true, data: [{ problem: null }] });
    server.close().closeAllConnections();
  });

  it('rejects an address that is not http', async () => {
    const program = emptyProgram().configureOutput({ writeErr: () => undefined });
    registerStatus(program);
    const line = ['status', '--url', 'ftp://x'];
    await expect(program.parseAsync(line, { from: 'user' })).rejects.toThrow('is not an http URL');
  });
});

describe('gatehouse settings check', () => {
  it('shows what a settings file changes, or every mistake in it', () => {
    const file = join(folder, 'settings.yaml');
    writeFileSync(file, 'day_max_reg: 7');
    const good = checkSettings(file);
    expect(good.ok).not.toBe(false);
    expect(good.text).toContain('day_max_reg: 7');
    writeFileSync(file, 'day_max_reg: x\ndeny_ipp: []');
    const bad = checkSettings(file);
    expect(bad.ok).toBe(false);
    expect((bad.data as { problems: string[] }).problems).toHaveLength(2);
    expect(checkSettings(join(folder, 'none.yaml')).ok).toBe(false);
  });
});
