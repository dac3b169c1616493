import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { startApp, type TestApp } from './app.js';
import type { Answer } from './client.js';
import { addServer, createPlayer, tokenOf } from './factories.js';

/** Holds a player at a service with one server of each kind. */
export class GameEntrance<Kind extends string> {
  private constructor(
    readonly service: TestApp,
    readonly player: Player,
    readonly token: string,
    readonly ids: ReadonlyMap<Kind, number>,
  ) {}

  static async start<Kind extends string>(servers: Record<Kind, Partial<GameServer>>) {
    const service = await startApp();
    const ids = new Map<Kind, number>();
    // The servers must exist before the first request because the service caches them.
    for (const kind of Object.keys(servers) as Kind[])
      ids.set(kind, (await addServer(service.database, servers[kind])).id);
    const player = await createPlayer(service);
    return new GameEntrance(service, player, tokenOf(service, player), ids);
  }

  post(body: unknown, from?: string): Promise<Answer> {
    return this.service.client.post('/api/enter_game', body, { token: this.token, from });
  }

  enter(kind: Kind, from?: string): Promise<Answer> {
    return this.post({ server_id: this.ids.get(kind) }, from);
  }

  storedPlayer(): Promise<Player> {
    return this.service.database.getRepository(Player).findOneByOrFail({ id: this.player.id });
  }
}
