import { GameDatabaseFiles } from '../../../src/sandbox/game-database-files.js';
import { startGameDatabaseServer } from '../../../src/sandbox/game-database-server.js';
import { SECRETS } from './accounts.js';
import { FakeGameServer } from '../api/game-server.js';
import { removeFolder, temporaryFolder } from '../servers/temporary-folder.js';

class FilesWithoutStartingRoles extends GameDatabaseFiles {
  override createRoles(): void {}
}

/** One game server and its database, which needs no database program. */
export class EmbeddedGameWorld {
  private constructor(
    readonly gameServer: FakeGameServer,
    private readonly files: GameDatabaseFiles,
    private readonly databaseServer: { port: number; close(): void },
    private readonly folder: string,
  ) {}

  static async start(): Promise<EmbeddedGameWorld> {
    const folder = temporaryFolder('game-world');
    const files = new FilesWithoutStartingRoles(folder);
    const balances = {
      deduct: async (...order: Parameters<GameDatabaseFiles['deduct']>) => files.deduct(...order),
    };
    const gameServer = await FakeGameServer.start(balances, SECRETS.GM_SECRET);
    return new EmbeddedGameWorld(gameServer, files, await startGameDatabaseServer(files), folder);
  }

  get databaseUrl(): string {
    return `mysql://reader@127.0.0.1:${this.databaseServer.port}`;
  }

  createRole(server: number, role: { account: string; name: string; balance: number }): number {
    const { lastInsertRowid } = this.database(server)
      .prepare(
        'INSERT INTO actors (accountname, actorname, nonbindyuanbao, level) VALUES (?, ?, ?, 50)',
      )
      .run(role.account, role.name, role.balance);
    return Number(lastInsertRowid);
  }

  balanceOf(server: number, role: number): number {
    const row = this.database(server)
      .prepare('SELECT nonbindyuanbao AS balance FROM actors WHERE actorid = ?')
      .get(role) as { balance: number };
    return row.balance;
  }

  setBalance(server: number, role: number, balance: number): void {
    this.database(server)
      .prepare('UPDATE actors SET nonbindyuanbao = ? WHERE actorid = ?')
      .run(balance, role);
  }

  /** How often each deduction was applied. */
  get applications(): number[] {
    return [...this.gameServer.ledger.values()].map(({ applications }) => applications);
  }

  async stop(): Promise<void> {
    await this.gameServer.stop();
    this.databaseServer.close();
    this.files.close();
    removeFolder(this.folder);
  }

  private database(server: number) {
    return this.files.database(`mir_actor_s${server}`);
  }
}
