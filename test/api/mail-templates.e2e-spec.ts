import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HealthChecks } from '../../src/platform/health/health-checks.js';
import { MailTemplates } from '../../src/platform/mail/mail-templates.js';
import { unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { MailServer } from '../support/servers/smtp.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const folder = temporaryFolder('mail-templates');
const overrides = join(folder, 'mail');
const error = vi.spyOn(Logger.prototype, 'error');
let mail: MailServer;
let service: TestApp;
let lastAddress = 0;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    env: { SMTP_URL: mail.url, AGREEMENT_FILE: join(folder, 'agreement.html') },
    settings: { rate_limit: { per_minute: 100_000 } },
  });
});
beforeEach(async () => {
  rmSync(overrides, { recursive: true, force: true });
  await says('ok');
  error.mockClear();
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
  removeFolder(folder);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(overrides, file)), { recursive: true });
  writeFileSync(join(overrides, file), text);
}

const complaints = () =>
  error.mock.calls.map(String).filter((text) => text.includes('mail "code"'));

/** Reads the files again, as the service does when the last reading is a second old. */
function expireReadings(): void {
  for (const template of service.app.get(MailTemplates)['templates'].values())
    if (template['last']) template['last'].readAt = -Infinity;
  // A slow check would return the last result if that is at most two seconds old.
  service.app.get(HealthChecks)['checks'].get('mail_templates')!['healthyAt'] = -Infinity;
}

async function says(state: 'ok' | 'fallback'): Promise<void> {
  expireReadings();
  const { status, body } = await service.client.get('/api/health/ready');
  expect([status, body.data.mail_templates]).toEqual([200, state]);
}

async function codeMail(): Promise<Email & { code: string; raw: string }> {
  const email = `${unique('m')}@mail.example`;
  const from = `198.18.9.${++lastAddress}`;
  expect((await service.client.post('/api/send_code', { email }, { from })).status).toBe(200);
  const { raw, code } = mail.mailsTo(email)[0]!;
  return { ...(await PostalMime.parse(raw)), code, raw };
}

describe('The shipped mail templates', () => {
  it('are in both languages and show the code in text and HTML', async () => {
    const { subject, text, html, code } = await codeMail();
    expect(code).toMatch(/^\d{6}$/);
    expect(subject).toBe(`${code} 验证码 / verification code`);
    for (const part of [text, html]) {
      expect(part).toContain(code);
      expect(part).toContain('60 秒内有效，请勿告诉任何人。');
      expect(part).toContain('It is valid for 60 seconds.');
    }
    expect(html).toMatch(/^<!doctype html>\n<html>\n<body[^>]*>\n<p>[^]*<\/body>\n<\/html>\n+$/);
  });

  it('can be overridden in words, brand and layout', async () => {
    write('code/subject.hbs', 'Dragon Realm: your code\n');
    write('code/text.hbs', '<{{code}}> & "{{seconds}}"');
    write('code/html.hbs', '{{#> layout}}<b>{{code}}</b>{{/layout}}');
    write('layout.hbs', '<h1>Dragon Realm</h1>{{> @partial-block}}<hr>');
    expireReadings();
    const { subject, text, html } = await codeMail();
    expect(subject).toBe('Dragon Realm: your code');
    const code = /\d{6}/.exec(html!)![0];
    expect(text!.trimEnd()).toBe(`<${code}> & "60"`);
    expect(html!.trimEnd()).toBe(`<h1>Dragon Realm</h1><b>${code}</b><hr>`);
    await says('ok');
    expect(complaints()).toEqual([]);
  });

  it('can be overridden file by file', async () => {
    write('code/subject.hbs', 'Dragon Realm: your code');
    write('layout.hbs', '<h1>Dragon Realm</h1>{{> @partial-block}}<hr>');
    expireReadings();
    const { subject, text, html } = await codeMail();
    expect(subject).toBe('Dragon Realm: your code');
    expect(text).toContain('It is valid for 60 seconds.');
    expect(html).toMatch(/^<h1>Dragon Realm<\/h1><p>[^]*It is valid for 60 seconds\.[^]*<hr>/);
    rmSync(join(overrides, 'code/subject.hbs'));
    expireReadings();
    const shipped = await codeMail();
    expect(shipped.subject).toMatch(/^\d{6} 验证码/);
    expect(shipped.html).toContain('<h1>Dragon Realm</h1>');
    await says('ok');
    expect(complaints()).toEqual([]);
  });
});

describe('An overriding mail template', () => {
  it.each([
    ['does not parse', 'code/html.hbs', '<p>{{code}', /html\.hbs: Parse error/],
    ['names a value that there is not', 'code/text.hbs', '{{cod}}', /text\.hbs: "cod" not defined/],
    ['uses a frame that there is not', 'code/html.hbs', '{{> fram}}{{code}}', /html\.hbs/],
    ['calls itself', 'layout.hbs', '{{> layout}}', /html\.hbs: /],
    ['does not show the code in its text', 'code/text.hbs', 'hello', /text\.hbs does not show/],
    ['does not show the code in its HTML', 'code/html.hbs', '<p>', /html\.hbs does not show/],
    ['has no subject', 'code/subject.hbs', ' \n', /subject\.hbs is empty/],
    ['has a subject of two lines', 'code/subject.hbs', 'a\nb', /more than one line/],
  ])('that %s is replaced by the shipped one and logged once', async (_, file, text, reason) => {
    write(file, text);
    await says('fallback');
    const { subject, html, code } = await codeMail();
    expect(subject).toBe(`${code} 验证码 / verification code`);
    expect(html).toContain(`${code}</p>`);
    await codeMail();
    expect(complaints()).toEqual([expect.stringMatching(reason)]);
    expect(complaints()[0]).not.toContain('\n');
  });

  it('that cannot be read is replaced by the shipped one', async () => {
    mkdirSync(join(overrides, 'code/text.hbs'), { recursive: true });
    await says('fallback');
    expect((await codeMail()).subject).toMatch(/^\d{6} 验证码/);
    expect(complaints()).toEqual([expect.stringContaining('EISDIR')]);
  });

  it('is used again once it is repaired', async () => {
    write('code/subject.hbs', '');
    await says('fallback');
    write('code/subject.hbs', 'mended');
    await says('ok');
    expect((await codeMail()).subject).toBe('mended');
  });

  it('gives way to the shipped one when it is deleted with its folder', async () => {
    write('code/subject.hbs', '');
    await says('fallback');
    rmSync(overrides, { recursive: true });
    await says('ok');
    expect((await codeMail()).subject).toMatch(/^\d{6} 验证码/);
  });

  it('that fails only with real values is replaced, and the code is not logged', async () => {
    write('code/text.hbs', '{{#if (lookup code 0)}}888888{{code}}{{/if}}');
    write('code/html.hbs', '{{#> layout}}888888{{/layout}}');
    expireReadings();
    const { html, code } = await codeMail();
    expect(html).toContain(`${code}</p>`);
    expect(complaints()).toHaveLength(1);
    expect(await service.app.get(MailTemplates).areValid()).toBe(false);
    expect(complaints()[0]).not.toMatch(/\d{6}/);
  });
});
