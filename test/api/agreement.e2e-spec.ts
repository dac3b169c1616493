import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestApp, startApp } from '../support/api/app.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const SHIPPED = readFileSync(new URL('../../config/agreement.html', import.meta.url), 'utf8');
const folder = temporaryFolder('agreement');
const file = join(folder, 'agreement.html');
let service: TestApp;

beforeAll(async () => {
  writeFileSync(file, SHIPPED);
  service = await startApp({
    env: { AGREEMENT_FILE: file, FRONTEND_URL: 'https://play.example/game' },
  });
});
beforeEach(() => shows(SHIPPED));
afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

// fetch itself would add no-cache to a request that has If-None-Match, which asks for the whole answer.
const agree = (headers: Record<string, string> = {}) =>
  service.client.get('/api/misc/agree', { headers: { 'Cache-Control': 'max-age=0', ...headers } });
const readiness = async () => (await service.client.get('/api/health/ready')).body.data;

/** Writes the file, and waits no longer for it than an operator would. */
async function shows(html: string): Promise<void> {
  writeFileSync(file, html);
  await until(async () => (await agree()).text === html, { within: 2000 });
}

function digestOf(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

describe('GET /api/misc/agree', () => {
  it('is the file itself, in Chinese and English', async () => {
    const answer = await agree();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toBe(SHIPPED);
    expect(answer.text).toMatch(/^<!doctype html>/);
    expect(answer.text).toContain('<html lang="zh-CN">');
    expect(answer.text).toContain('lang="en"');
  });

  it('lets its own style sheet in and nothing else, and stands only in frames of the front end', async () => {
    const policy = (await agree()).headers.get('content-security-policy')!.split('; ');
    const css = /<style>(.*)<\/style>/s.exec(SHIPPED)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${digestOf(css)}`);
    expect(policy).toContain("frame-ancestors 'self' https://play.example");
    expect(policy.join()).not.toMatch(/unsafe|script-src/);
  });

  it('lets in the style sheet that an edit brings, as a browser reads it', async () => {
    await shows('<!doctype html>\r\n<STYLE media="all">p {\r\n}</style ><p>x');
    expect((await agree()).headers.get('content-security-policy')).toContain(digestOf('p {\n}'));
    await shows('<p style="color: red">no style sheet');
    expect((await agree()).headers.get('content-security-policy')).toContain("style-src 'none'");
  });

  it('answers 304 to a caller that has it already, also behind a compressing proxy', async () => {
    const etag = (await agree()).headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await agree({ 'If-None-Match': known });
      expect(answer.status, known).toBe(304);
      expect(answer.text).toBe('');
    }
    expect((await agree({ 'If-None-Match': '"other"' })).status).toBe(200);
    await shows(`${SHIPPED}<!-- changed -->`);
    expect((await agree({ 'If-None-Match': etag })).status).toBe(200);
  });

  it('says so when the file is missing, to callers, in the log and in ready, until it is back', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    expect(await readiness()).toMatchObject({ agreement: 'present' });
    rmSync(file);
    await until(async () => (await agree()).status === 503, { within: 2000 });
    const answer = await agree();
    expect(answer.body).toMatchObject({ code: 50302, error: 'service_unavailable' });
    expect(answer.text).not.toContain(folder);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await readiness()).toMatchObject({ status: 'ready', agreement: 'missing' });
    expect(error.mock.calls.filter(([text]) => String(text).includes(file))).toHaveLength(1);
    error.mockRestore();
    await shows(SHIPPED);
    expect(await readiness()).toMatchObject({ agreement: 'present' });
  });
});
