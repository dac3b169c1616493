import { randomBytes } from 'node:crypto';
import type Libsql from 'libsql';

export const GRANT_SECONDS = 60;

export interface Grant {
  person: number;
  challenge: string;
}

/** The stand-in forum's single-use codes and the tokens they are exchanged for. */
export class ForumGrants {
  constructor(private readonly store: Libsql.Database) {
    store.exec(`
      CREATE TABLE IF NOT EXISTS forum_grant (
        code TEXT PRIMARY KEY, person INTEGER NOT NULL, challenge TEXT NOT NULL, expires_at INTEGER NOT NULL
      )`);
  }

  issue({ person, challenge }: Grant): string {
    const code = randomBytes(24).toString('base64url');
    this.store
      .prepare('INSERT INTO forum_grant VALUES (?, ?, ?, ?)')
      .run(code, person, challenge, Date.now() + GRANT_SECONDS * 1000);
    return code;
  }

  redeem(code: string): Grant | undefined {
    const found = this.store
      .prepare('SELECT person, challenge FROM forum_grant WHERE code = ? AND expires_at > ?')
      .get(code, Date.now()) as Grant | undefined;
    this.store
      .prepare('DELETE FROM forum_grant WHERE code = ? OR expires_at <= ?')
      .run(code, Date.now());
    return found;
  }
}
