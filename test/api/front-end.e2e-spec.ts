import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, startApp } from '../support/api/app.js';
import { rawRequest } from '../support/api/raw-request.js';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let service: TestApp;
let page: string;

beforeAll(async () => {
  service = await startApp();
  page = (await service.client.get('/')).text;
});
afterAll(() => service.stop());

const scripts = () =>
  [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(service.url, path, { method, headers });

describe("The front end's page", () => {
  it.each([
    '/',
    '/signin',
    '/agree',
    '/withdraw',
    '/account/sign-ins',
    '/account',
    '/signin?mode=register',
    '/withdraw/',
  ])('is served at %s without caching and under a strict content security policy', async (path) => {
    const answer = await service.client.get(path);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(page);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('contains no inline script or style', () => {
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/);
  });

  it('returns 304 for a matching ETag', async () => {
    const { etag } = (await ask('/signin')).headers;
    const again = await ask('/', { 'If-None-Match': etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('is served with 404 to a browser at an unknown path, where other callers get a JSON error', async () => {
    const browser = await service.client.get('/no/such/page', { headers: BROWSER });
    expect([browser.status, browser.text]).toEqual([404, page]);
    expect((await service.client.get('/no/such/page')).body.error).toBe('not_found');
    expect((await service.client.post('/', {}, { headers: BROWSER })).body.error).toBe('not_found');
  });

  it('counts against the rate limit only at unknown paths', async () => {
    await service.changeSettings({ rate_limit: { per_minute: 2 } });
    const from = '198.51.100.20';
    const statusOf = async (path: string) =>
      (await service.client.get(path, { headers: BROWSER, from })).status;
    for (const path of ['/', '/signin', '/withdraw', '/icon.svg'])
      expect(await statusOf(path)).toBe(200);
    const statuses = [await statusOf('/lost/1'), await statusOf('/lost/2'), await statusOf('/x')];
    expect(statuses).toEqual([404, 404, 429]);
    expect(await statusOf('/')).toBe(200);
    await service.changeSettings({});
  });

  it.each(['/api/nope', '/api/docs/nope', '/assets/nope.js', '/x.php', '/.env', '/index.html.br'])(
    'is not served at %s',
    async (path) => {
      const answer = await service.client.get(path, { headers: BROWSER });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    },
  );

  it('is not served at retired entry points', async () => {
    expect((await service.client.get('/login', { headers: BROWSER })).status).toBe(301);
    expect((await service.client.get('/server', { headers: BROWSER })).body.error).toBe('gone');
  });
});

describe("The front end's assets", () => {
  it('are cacheable for a year and compressed for callers that accept compression', async () => {
    const [path = ''] = scripts();
    const plain = await ask(path);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const zipped = await ask(path, { 'Accept-Encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    const brotli = await ask(path, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotli.headers.etag).not.toBe(zipped.headers.etag);
    expect((await ask(path, {}, 'HEAD')).body).toHaveLength(0);
  });

  it('include an installable application manifest and a preview image', async () => {
    const manifest = await service.client.get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    expect(manifest.body).toMatchObject({ start_url: '/', display: 'standalone' });
    const preview = /property="og:image" content="([^"]+)"/.exec(page)![1]!;
    expect(preview).toMatch(/^https?:\/\/[^/]+\/preview\.jpg$/);
    const pictures = manifest.body.icons as Array<{ src: string; type: string }>;
    for (const { src, type } of [...pictures, { src: '/preview.jpg', type: 'image/jpeg' }]) {
      const picture = await ask(src);
      expect([picture.status, picture.headers['content-type']]).toEqual([200, type]);
    }
  });

  it('keep the scripts of a first visit under 80 KB', async () => {
    const answers = await Promise.all(
      scripts().map((path) => ask(path, { 'Accept-Encoding': 'gzip, deflate, br' })),
    );
    const bytes = answers.reduce((sum, { body }) => sum + body.length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(80_000);
  });
});
