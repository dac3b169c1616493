import { createHmac, randomUUID } from 'node:crypto';

export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

/** Cookies and forum redirects use this origin, at which no server listens. */
export const PUBLIC_URL = 'https://play.example';

export function tokenOf({ id, account }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: String(id), account, ver: 0, jti: randomUUID(), iss: 'gatehouse' };
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, iat: now, exp: now + 86_400 },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', SECRETS.JWT_SECRET).update(parts.join('.'));
  return `${parts.join('.')}.${signature.digest('base64url')}`;
}
