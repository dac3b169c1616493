import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestApp, startApp } from '../support/api/app.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const SHIPPED = readFileSync(new URL('../../config/agreement.html', import.meta.url), 'utf8');
const folder = temporaryFolder('agreement');
const file = join(folder, 'agreement.html');
const realNow = performance.now.bind(performance);
let ahead = 0;
let service: TestApp;

beforeAll(async () => {
  writeFileSync(file, SHIPPED);
  service = await startApp({
    env: { AGREEMENT_FILE: file, FRONTEND_URL: 'https://play.example/game' },
  });
});
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
  replaceFile(SHIPPED);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

// Without max-age, fetch adds no-cache to a request with If-None-Match and so gets a full response.
const agree = (headers: Record<string, string> = {}) =>
  service.client.get('/api/misc/agree', { headers: { 'Cache-Control': 'max-age=0', ...headers } });
const readiness = async () => (await service.client.get('/api/health/ready')).body.data;

/** Expires the cached file (1 s) and the last good readiness result (2 s). */
function expireCache(): void {
  ahead += 3000;
}

function replaceFile(html: string): void {
  writeFileSync(file, html);
  expireCache();
}

function digestOf(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

describe('GET /api/misc/agree', () => {
  it('serves the configured file in Chinese and English', async () => {
    const answer = await agree();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toBe(SHIPPED);
    expect(answer.text).toMatch(/^<!doctype html>/);
    expect(answer.text).toContain('<html lang="zh-CN">');
    expect(answer.text).toContain('lang="en"');
  });

  it('allows only its own style sheet and only framing by the front end', async () => {
    const policy = (await agree()).headers.get('content-security-policy')!.split('; ');
    const css = /<style>(.*)<\/style>/s.exec(SHIPPED)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${digestOf(css)}`);
    expect(policy).toContain("frame-ancestors 'self' https://play.example");
    expect(policy.join()).not.toMatch(/unsafe|script-src/);
  });

  it('allows the style sheet of an edited file, hashed with the line endings that browsers use', async () => {
    replaceFile('<!doctype html>\r\n<STYLE media="all">p {\r\n}</style ><p>x');
    expect((await agree()).headers.get('content-security-policy')).toContain(digestOf('p {\n}'));
    replaceFile('<p style="color: red">no style sheet');
    expect((await agree()).headers.get('content-security-policy')).toContain("style-src 'none'");
  });

  it('returns 304 for the current ETag, including a weak one from a proxy', async () => {
    const etag = (await agree()).headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await agree({ 'If-None-Match': known });
      expect(answer.status, known).toBe(304);
      expect(answer.text).toBe('');
    }
    expect((await agree({ 'If-None-Match': '"other"' })).status).toBe(200);
    replaceFile(`${SHIPPED}<!-- changed -->`);
    expect((await agree({ 'If-None-Match': etag })).status).toBe(200);
  });

  it('returns 503, logs one error and fails readiness while the file is missing', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    expect(await readiness()).toMatchObject({ agreement: 'present' });
    rmSync(file);
    expireCache();
    const answer = await agree();
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 50302, error: 'service_unavailable' });
    expect(answer.text).not.toContain(folder);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await readiness()).toMatchObject({ status: 'ready', agreement: 'missing' });
    expect(error.mock.calls.filter(([text]) => String(text).includes(file))).toHaveLength(1);
    replaceFile(SHIPPED);
    expect(await readiness()).toMatchObject({ agreement: 'present' });
  });
});
