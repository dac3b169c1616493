import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { type TokenOwner, TokenService } from '../../../src/platform/auth/token.service.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { PASSWORD, unique } from '../accounts.js';
import type { TestApp } from './app.js';

// Ids are never reused because an earlier test's withdrawals may still refer to a deleted server. Test files share a
// worker, so no test can rely on a server's id.
let lastServerId = 100;

export async function addServer(
  database: DataSource,
  server: Partial<GameServer> = {},
): Promise<GameServer> {
  const servers = database.getRepository(GameServer);
  const inUse = await servers.maximum('id');
  lastServerId = Math.max(lastServerId, inUse ?? 0) + 1;
  const { id } = await servers.save({
    id: lastServerId,
    name: unique('server'),
    address: 'server.example',
    port: 7000,
    ...server,
  });
  return servers.findOneByOrFail({ id });
}

/** Returns the stored hash of a password, which is also the token that game clients send. */
export function passwordHash({ app }: TestApp, password: string): string {
  const { PASSWORD_KEY } = app.get(Environment);
  return createHash('md5').update(`${password}${PASSWORD_KEY}`).digest('hex');
}

export async function createPlayer(
  service: TestApp,
  player: Partial<Player> = {},
): Promise<Player> {
  const players = service.database.getRepository(Player);
  const { id } = await players.save({
    account: unique('p'),
    password: passwordHash(service, PASSWORD),
    ...player,
  });
  return players.findOneByOrFail({ id });
}

/** Returns a token like the one that a login issues, except for `changes`. */
export function tokenOf(
  { app }: TestApp,
  { id, account, ver }: TokenOwner,
  changes: Partial<TokenOwner> = {},
): string {
  return app.get(TokenService).sign({ id, account, ver, ...changes });
}

export async function banPlayer(
  { database }: TestApp,
  { id: playerId }: Pick<Player, 'id'>,
  ban: Partial<PlayerBan> = {},
): Promise<number> {
  const bans = database.getRepository(PlayerBan);
  return (await bans.save({ playerId, reason: 'botting', createdAt: new Date(), ...ban })).id;
}
