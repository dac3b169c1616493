import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainRefusal, freshUntil, isSignedWith, type SignedCall } from './callback-signature.js';

interface Vector {
  name: string;
  secret: string;
  timestamp: string;
  method: string;
  path: string;
  body: string;
  signature: string;
  now: number;
  accepted: boolean;
}

const { callbacks } = JSON.parse(
  readFileSync(new URL('../../../examples/vectors.json', import.meta.url), 'utf8'),
) as { callbacks: Vector[] };

const NOW = 1794960000;
const SECRET = '5d41402abc4b2a76b9719d911017c592';
const GM_SECRET = 'the-secret-for-commands';
const BODY = '{"account":"dragon_rider", "connect_id":"10293"}';
const TARGET = '/api/link?connect_id=a%20b%2fc&provider=forum';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('examples/vectors.json', () => {
  it.each(callbacks)('has the signature that the service expects for $name', (vector) => {
    vi.setSystemTime(vector.now * 1000);
    const call = { ...vector, target: vector.path, body: Buffer.from(vector.body) };
    expect(isSignedWith(vector.secret, call)).toBe(true);
    expect(isSignedWith(`${vector.secret}x`, call)).toBe(false);
    expect(freshUntil(call) !== undefined).toBe(vector.accepted);
  });
});

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (text: string, secret: string | Buffer = SECRET) =>
  createHmac('sha256', secret).update(text).digest();

function lines({
  timestamp = String(NOW),
  method = 'GET',
  path = TARGET,
  digest = sha(''),
}: Partial<Record<'timestamp' | 'method' | 'path' | 'digest', string>>): string {
  return [timestamp, method, path, digest].join('\n');
}

const get = (signature: string | undefined, timestamp = String(NOW)): SignedCall => ({
  timestamp,
  signature,
  method: 'GET',
  target: TARGET,
  host: 'play.example.com',
  body: Buffer.alloc(0),
});
const explain = (call: SignedCall) =>
  explainRefusal(call, { accepted: ['an-older-secret', SECRET], mistaken: { GM_SECRET } });
const explainGet = (parts: Parameters<typeof lines>[0]) =>
  explain(get(hmac(lines(parts)).toString('hex')));
const explainPost = (digest: string) => {
  const path = '/api/bind_account';
  const text = lines({ method: 'POST', path, digest });
  const call = { ...get(hmac(text).toString('hex')), method: 'POST', target: path };
  return explain({ ...call, body: Buffer.from(BODY) });
};

describe('explainRefusal', () => {
  it.each([
    [{ path: '/api/link' }, 'the path lacks the query'],
    [{ path: '/api/link?connect_id=a b/c&provider=forum' }, 'before it is escaped'],
    [{ path: '/api/link?connect_id=a+b%2fc&provider=forum' }, 'signed as +'],
    [{ path: '/api/link?connect_id=a%20b%2Fc&provider=forum' }, 'differ in case'],
    [{ path: TARGET.replace('/api', '') }, 'the path lacks /api'],
    [{ path: `https://play.example.com${TARGET}` }, 'the whole URL'],
    [{ timestamp: `${NOW}000` }, 'timestamp is in milliseconds'],
    [{ method: 'get' }, 'the method is in lower case'],
    [{ method: 'POST' }, 'another method'],
    [{ digest: '' }, 'the hash of the empty body is missing'],
    [{ digest: sha('{}') }, 'the hash is that of {}'],
  ])('names the mistake in a signature made with %j', (parts, mistake) => {
    expect(explainGet(parts)).toMatch('signature wrong: ');
    expect(explainGet(parts)).toContain(mistake);
  });

  it.each([
    [sha(BODY).toUpperCase(), "the body's hash is in upper case"],
    [Buffer.from(sha(BODY), 'hex').toString('base64'), 'hash is base64'],
    [BODY, 'the body is signed, not its hash'],
    [sha(''), 'that of an empty body'],
    [sha(JSON.stringify(JSON.parse(BODY))), 'formatted differently'],
    [sha(`${BODY}\n`), 'an extra line feed'],
  ])('names the mistake in a signature made with the body hash %s', (digest, mistake) => {
    expect(explainPost(digest)).toContain(mistake);
  });

  it.each([
    [hmac(`${lines({})}\n`).toString('hex'), 'a line feed follows'],
    [hmac(lines({}).replaceAll('\n', '\r\n')).toString('hex'), 'CR LF'],
    [hmac(lines({}).replaceAll('\n', '')).toString('hex'), 'line feeds are missing'],
    [hmac(lines({})).toString('base64'), 'base64, not hex'],
    [`sha256=${hmac(lines({})).toString('hex')}`, 'has text before the signature'],
    [hmac(lines({}), `${SECRET}\n`).toString('hex'), 'the secret has a line feed'],
    [hmac(lines({}), Buffer.from(SECRET, 'hex')).toString('hex'), 'decoded from hex'],
    [hmac(lines({}), GM_SECRET).toString('hex'), 'signed with GM_SECRET'],
    [sha(SECRET + lines({})), 'a plain hash'],
    [hmac('nothing of this').toString('hex'), 'no common mistake'],
    ['0'.repeat(32), 'not an HMAC-SHA256'],
  ])('names the mistake in the signature %s', (signature, mistake) => {
    expect(explain(get(signature))).toContain(mistake);
  });

  it('names two mistakes in the same call', () => {
    expect(explain(get(hmac(lines({ path: '/api/link' })).toString('base64')))).toBe(
      'signature wrong: X-Signature is base64, not hex; the path lacks the query',
    );
    const text = lines({ path: '/api/link', digest: '' });
    expect(explain(get(hmac(text).toString('hex')))).toBe(
      'signature wrong: the path lacks the query; the hash of the empty body is missing',
    );
  });

  it("says by how many seconds the caller's clock is wrong", () => {
    const at = (timestamp: string) => explain(get(hmac(lines({})).toString('hex'), timestamp));
    expect(at(String(NOW - 4000))).toContain('4000 s behind');
    expect(at(String(NOW + 4000))).toContain('4000 s ahead');
    expect(at(`${NOW}000`)).toContain('X-Timestamp is in milliseconds');
    expect(at('2026-11-18')).toContain('not a time in unix seconds');
  });

  it('names missing headers', () => {
    expect(explain(get(undefined))).toBe('X-Signature missing');
    expect(explain({ ...get(undefined), timestamp: undefined })).toBe(
      'X-Timestamp and X-Signature missing',
    );
  });
});
