import { FakeGameServer } from '../api/game-server.js';
import { SqliteGameWorld } from '../api/sqlite-game-world.js';
import { SECRETS } from '../accounts.js';

/** Runs a game server and its databases without a database server. */
export class EmbeddedGameWorld {
  private constructor(
    readonly gameServer: FakeGameServer,
    readonly roles: SqliteGameWorld,
  ) {}

  static async start(): Promise<EmbeddedGameWorld> {
    const roles = await SqliteGameWorld.start();
    return new EmbeddedGameWorld(await FakeGameServer.start(roles, SECRETS.GM_SECRET), roles);
  }

  /** Returns how many times each deduction was applied. */
  get applications(): number[] {
    return [...this.gameServer.ledger.values()].map(({ applications }) => applications);
  }

  async stop(): Promise<void> {
    await this.gameServer.stop();
    await this.roles.stop();
  }
}
