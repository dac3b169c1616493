import { createHash, randomBytes } from 'node:crypto';

// This file imports neither TypeORM nor Nest, which take seconds to load and which browser tests do not need.
export const PASSWORD = 'correct horse';
export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

/** Returns a name that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix}_${randomBytes(5).toString('hex')}`;
}

export function newMailbox(): string {
  return `${unique('m')}@mail.example`;
}

/** Returns the password hash that a service with these `SECRETS` stores. */
export function md5(password: string): string {
  return createHash('md5')
    .update(password + SECRETS.PASSWORD_KEY)
    .digest('hex');
}
