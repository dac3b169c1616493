import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HealthChecks } from '../../src/platform/health/health-checks.js';
import { type MailKind, MailTemplates } from '../../src/platform/mail/mail-templates.js';
import { MailService } from '../../src/platform/mail/mail.service.js';
import { newMailbox, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer, createPlayer, tokenOf } from '../support/api/factories.js';
import { MailServer } from '../support/servers/smtp.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const folder = temporaryFolder('mail-templates');
const overrides = join(folder, 'mail');
const error = vi.spyOn(Logger.prototype, 'error');
let mail: MailServer;
let service: TestApp;
let server_id: number;
let lastAddress = 0;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    env: { SMTP_URL: mail.url, AGREEMENT_FILE: join(folder, 'agreement.html') },
    settings: { rate_limit: { per_minute: 100_000 }, timezone: 'Asia/Shanghai' },
  });
  server_id = (await addServer(service.database, { status: 'normal' })).id;
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

/** Makes the service read the files again, as it does once its last read is a second old. */
function expireReadings(): void {
  for (const template of service.app.get(MailTemplates)['templates'].values())
    if (template['last']) template['last'].readAt = -Infinity;
  // A slow check would return the last result if it is at most two seconds old.
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
  it('are bilingual and show the code in text and HTML', async () => {
    const { subject, text, html, code } = await codeMail();
    expect(code).toMatch(/^\d{6}$/);
    expect(subject).toBe(`${code} 验证码 / is your verification code`);
    for (const part of [text, html]) {
      expect(part).toContain('传奇之门 Gatehouse');
      expect(part).toContain(code);
      expect(part).toContain('1 分钟内有效，请勿告诉任何人。');
      expect(part).toContain('It is valid for 60 seconds.');
    }
    expect(html).toMatch(/^<!doctype html>\n<html [^]*<\/html>\n+$/);
  });

  it('show the logo without loading anything from elsewhere', async () => {
    const { html, attachments } = await codeMail();
    expect(html).toContain('<img src="cid:logo"');
    expect(html).not.toMatch(/https?:/);
    expect(attachments).toMatchObject([{ mimeType: 'image/png', contentId: '<logo>' }]);
  });

  it('show times in the time zone of the players and in UTC', async () => {
    const { id, email } = await createPlayer(service, { email: newMailbox() });
    const kind = { name: 'closing', sample: {}, requiredValues: [] };
    const [closing, time] = ['2026-12-31T20:05:00Z', '2026-06-01T00:00:00Z'].map(
      (text) => new Date(text),
    );
    const values = { account: 'a', closing: closing!, address: '::1', time: time!, url: 'u' };
    await service.app.get(MailService).send(email!, kind, values, id);
    const { text, html } = await PostalMime.parse(mail.mailsTo(email!)[0]!.raw);
    for (const part of [text, html]) {
      expect(part).toContain('2027-01-01 04:05 UTC+8 (2026-12-31 20:05 UTC)');
      expect(part).toContain('2026-06-01 08:00 UTC+8 (2026-06-01 00:00 UTC)');
    }
  });

  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', '账号即将注销'],
    ['en-GB', 'Your account will be closed'],
    ['fr', '账号即将注销 / Your account will be closed'],
  ])('are in the language of the last entry to a server, for %s', async (languages, expected) => {
    const { id, email, ...player } = await createPlayer(service, { email: newMailbox() });
    const entered = await service.client.post(
      '/api/enter_game',
      { server_id },
      { token: tokenOf(service, { id, ...player }), headers: { 'Accept-Language': languages } },
    );
    expect(entered.status, entered.text).toBe(200);
    const kind = { name: 'closing', sample: {}, requiredValues: [] };
    const now = new Date();
    const values = { account: 'a', closing: now, address: '::1', time: now, url: 'u' };
    await service.app.get(MailService).send(email!, kind, values, id);
    const { subject } = await PostalMime.parse(mail.mailsTo(email!)[0]!.raw);
    expect(subject).toBe(expected);
  });

  it('contain no sentence in the other language', async () => {
    const templates = service.app.get(MailTemplates);
    const all = [...templates['templates'].values()];
    expect(all.length).toBeGreaterThan(10);
    for (const { kind } of all as unknown as { kind: MailKind }[]) {
      const [zh, en] = await Promise.all(
        [1, 0].map((is) => templates.render(kind, { ...kind.sample, zh: is, en: 1 - is })),
      );
      for (const part of ['subject', 'text', 'html'] as const) {
        const plain = (html: string) => html.replaceAll(/<style>[^]*<\/style>|<[^>]+>/g, ' ');
        expect(plain(zh![part]), `${kind.name} ${part}`).not.toMatch(/\b(?:the|your?|if)\b/i);
        expect(plain(en![part]).replaceAll('传奇之门', ''), `${kind.name} ${part}`).not.toMatch(
          /[\u4e00-\u9fff：，。]/,
        );
      }
    }
  });

  it('can be overridden in wording, brand and layout', async () => {
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
    expect(html).toMatch(/^<h1>Dragon Realm<\/h1><h1[^]*It is valid for 60 seconds\.[^]*<hr>/);
    rmSync(join(overrides, 'code/subject.hbs'));
    expireReadings();
    const shipped = await codeMail();
    expect(shipped.subject).toMatch(/^\d{6} 验证码/);
    expect(shipped.html).toContain('<h1>Dragon Realm</h1>');
    await says('ok');
    expect(complaints()).toEqual([]);
  });

  it('take the name and the logo of the site from one file each', async () => {
    write('brand.hbs', 'Dragon Realm\n');
    write('logo.png', 'a picture');
    expireReadings();
    const { text, html, attachments } = await codeMail();
    expect(html).toContain('<title>Dragon Realm</title>');
    for (const part of [text, html]) expect(part).not.toContain('Gatehouse');
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer).toString()).toBe('a picture');
    await says('ok');
  });
});

describe('A custom mail template', () => {
  it.each([
    ['does not parse', 'code/html.hbs', '<p>{{code}', /html\.hbs: Parse error/],
    ['uses an unknown value', 'code/text.hbs', '{{cod}}', /text\.hbs: "cod" not defined/],
    ['uses an unknown partial', 'code/html.hbs', '{{> fram}}{{code}}', /html\.hbs/],
    ['includes itself', 'layout.hbs', '{{> layout}}', /html\.hbs: /],
    ['does not show the code in its text', 'code/text.hbs', 'hello', /text\.hbs does not show/],
    ['does not show the code in its HTML', 'code/html.hbs', '<p>', /html\.hbs does not show/],
    ['has no subject', 'code/subject.hbs', ' \n', /subject\.hbs is empty/],
    ['has a subject of two lines', 'code/subject.hbs', 'a\nb', /more than one line/],
  ])(
    'that %s is replaced by the shipped template, and the error is logged once',
    async (_, file, text, reason) => {
      write(file, text);
      await says('fallback');
      const { subject, html, code } = await codeMail();
      expect(subject).toBe(`${code} 验证码 / is your verification code`);
      expect(html).toContain(`${code}</p>`);
      await codeMail();
      expect(complaints()).toEqual([expect.stringMatching(reason)]);
      expect(complaints()[0]).not.toContain('\n');
    },
  );

  it('that cannot be read is replaced by the shipped template', async () => {
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

  it('is replaced by the shipped template when it is deleted with its folder', async () => {
    write('code/subject.hbs', '');
    await says('fallback');
    rmSync(overrides, { recursive: true });
    await says('ok');
    expect((await codeMail()).subject).toMatch(/^\d{6} 验证码/);
  });

  it('that fails only with real values is replaced without logging the code', async () => {
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
