import { GameDatabaseFiles } from '../../../src/sandbox/game-database-files.js';
import { startGameDatabaseServer } from '../../../src/sandbox/game-database-server.js';
import { removeFolder, temporaryDataFolder } from '../servers/temporary-folder.js';
import type { GameRoles, RoleOptions } from './game-world.js';

/** Creates no sample servers or roles, unlike the sandbox. */
class EmptyGameDatabases extends GameDatabaseFiles {
  readonly names = new Set<string>();

  override database(name: string) {
    if (!this.names.has(name)) throw new Error(`Unknown database '${name}'`);
    return super.database(name);
  }

  override createRoles(): void {}
}

/** Serves SQLite game databases over the sandbox's MySQL protocol, which requires no database server. */
export class SqliteGameWorld implements GameRoles {
  private nextRole = 1000;

  private constructor(
    private readonly folder: string,
    private readonly files: EmptyGameDatabases,
    private readonly server: { port: number; close(): void },
  ) {}

  static async start(): Promise<SqliteGameWorld> {
    const folder = temporaryDataFolder('game-world');
    const files = new EmptyGameDatabases(folder);
    return new SqliteGameWorld(folder, files, await startGameDatabaseServer(files));
  }

  get port(): number {
    return this.server.port;
  }

  urlAt(port = this.port): string {
    return `mysql://reader:reader@127.0.0.1:${port}`;
  }

  async addServer(id: number): Promise<void> {
    this.files.names.add(`mir_actor_s${id}`);
  }

  async createRole(
    server: number,
    { account, balance = 1000, name, level = 50 }: RoleOptions,
  ): Promise<number> {
    const id = this.nextRole++;
    this.of(server)
      .prepare(
        'INSERT INTO actors (actorid, actorname, accountname, level, nonbindyuanbao) VALUES (?, ?, ?, ?, ?)',
      )
      .run(id, name ?? `role${id}`, account, level, balance);
    return id;
  }

  async removeRole(server: number, role: number): Promise<void> {
    this.of(server).prepare('DELETE FROM actors WHERE actorid = ?').run(role);
  }

  async moveRoles(from: number, into: number): Promise<void> {
    const insert = this.of(into).prepare('INSERT INTO actors VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const role of this.of(from).prepare('SELECT * FROM actors').raw().all())
      insert.run(...(role as unknown[]));
  }

  async balanceOf(server: number, role: number): Promise<number> {
    const row = this.of(server)
      .prepare('SELECT nonbindyuanbao AS balance FROM actors WHERE actorid = ?')
      .get(role) as { balance: number } | undefined;
    return Number(row?.balance);
  }

  setBalance(server: number, role: number, balance: number): void {
    this.of(server)
      .prepare('UPDATE actors SET nonbindyuanbao = ? WHERE actorid = ?')
      .run(balance, role);
  }

  async deduct(server: number, role: number, account: string, amount: number): Promise<boolean> {
    return this.files.deduct(server, role, account, amount);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.files.close();
    removeFolder(this.folder);
  }

  private of(server: number) {
    return this.files.database(`mir_actor_s${server}`);
  }
}
