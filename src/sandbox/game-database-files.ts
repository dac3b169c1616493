import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';

const DATABASE_NAME = /^[A-Za-z0-9_]{1,64}$/;
const STARTING_ROLES = [
  { name: 'Warrior', level: 42, balance: 25_000 },
  { name: 'Mage', level: 17, balance: 1_200 },
  { name: 'Taoist', level: 3, balance: 40 },
];

/** Each server has one SQLite file with the game's own table. */
export class GameDatabaseFiles {
  private readonly open = new Map<string, Libsql.Database>();

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  database(name: string): Libsql.Database {
    if (!DATABASE_NAME.test(name)) throw new Error(`Unknown database '${name}'`);
    let database = this.open.get(name);
    if (!database) {
      database = new Libsql(join(this.folder, `${name}.sqlite`), { timeout: 3000 });
      database.exec(`
        PRAGMA journal_mode = WAL;
        CREATE TABLE IF NOT EXISTS actors (
          actorid INTEGER PRIMARY KEY AUTOINCREMENT,
          actorname VARCHAR(32) NOT NULL,
          accountname VARCHAR(80) NOT NULL COLLATE NOCASE,
          level INTEGER NOT NULL,
          nonbindyuanbao INTEGER NOT NULL,
          serverindex INTEGER NOT NULL DEFAULT 0,
          status INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX IF NOT EXISTS actors_account ON actors (accountname);`);
      this.open.set(name, database);
    }
    return database;
  }

  /** Creates a few roles for an account when they are first read. */
  createRoles(name: string, account: string): void {
    const database = this.database(name);
    const insert = database.prepare(
      `INSERT INTO actors (actorname, accountname, level, nonbindyuanbao)
       SELECT ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM actors WHERE accountname = ?) = ?`,
    );
    for (const [already, role] of STARTING_ROLES.entries())
      insert.run(role.name, account, role.level, role.balance, account, already);
  }

  /** Returns false if the role does not exist, belongs to another account, or has too little. */
  deduct(serverId: number, roleId: number, account: string, amount: number): boolean {
    const { changes } = this.database(`mir_actor_s${serverId}`)
      .prepare(
        `UPDATE actors SET nonbindyuanbao = nonbindyuanbao - ?
         WHERE actorid = ? AND accountname = ? AND nonbindyuanbao >= ?`,
      )
      .run(amount, roleId, account, amount);
    return changes === 1;
  }

  close(): void {
    for (const database of this.open.values()) database.close();
  }
}
