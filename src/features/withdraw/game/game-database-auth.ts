import { type AuthPlugin, authPlugins } from 'mysql2';
import type { DatabaseTls } from '../../../platform/config/database-url.js';

const FULL_AUTHENTICATION = 4;

/**
 * How a password is proved to a game database. If TLS does not verify that database, only challenge and response is
 * used: in clear text, or encrypted with a key that it sends itself, anybody who answers at its address would learn the
 * password. mysql2 itself refuses `mysql_clear_password`.
 */
export function gameDatabaseAuth(ssl?: DatabaseTls): Record<string, AuthPlugin> | undefined {
  if (ssl?.rejectUnauthorized) return undefined;
  return {
    sha256_password: () => () => refuse('sha256_password'),
    caching_sha2_password: (metadata) => {
      const respond = authPlugins.caching_sha2_password()(metadata);
      return (data) =>
        data.length === 1 && data[0] === FULL_AUTHENTICATION
          ? refuse('caching_sha2_password')
          : respond(data);
    },
  };
}

function refuse(plugin: string): never {
  throw new Error(
    `the database asks for the password itself (${plugin}), but TLS does not verify it: set ssl-ca in GAME_DATABASE_URL`,
  );
}
