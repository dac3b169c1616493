import { randomBytes } from 'node:crypto';

// Not imported from the factories of the API tests: those load TypeORM and Nest, which browser tests do not need.
export const PASSWORD = 'correct horse';
export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

export function unique(prefix: string): string {
  return `${prefix}_${randomBytes(5).toString('hex')}`;
}

export function newMailbox(): string {
  return `${unique('mail')}@example.com`;
}
