import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Player } from '../../src/auth/player.entity.js';
import { Environment } from '../../src/config/environment.js';
import { type TokenOwner, TokenService } from '../../src/auth/token.service.js';
import { Zone } from '../../src/zones/zone.entity.js';
import type { TestApp } from './app.js';

export const PASSWORD = 'correct horse';

/** A name nobody else in the run has. */
export function unique(prefix: string): string {
  return `${prefix}_${randomBytes(5).toString('hex')}`;
}

export async function createZone(database: DataSource, zone: Partial<Zone> = {}): Promise<Zone> {
  const servers = database.getRepository(Zone);
  const { id } = await servers.save({
    name: unique('zone'),
    address: 'zone.example',
    port: 7000,
    ...zone,
  });
  return servers.findOneByOrFail({ id });
}

export async function createPlayer(
  { app, database }: TestApp,
  player: Partial<Player> = {},
): Promise<Player> {
  const { PASSWORD_KEY } = app.get(Environment);
  const players = database.getRepository(Player);
  const { id } = await players.save({
    account: unique('p'),
    password: createHash('md5')
      .update(PASSWORD + PASSWORD_KEY)
      .digest('hex'),
    ...player,
  });
  return players.findOneByOrFail({ id });
}

/** A token as a login would give it; `changes` make it one that login never gave. */
export function tokenOf(
  { app }: TestApp,
  { id, account, ver }: TokenOwner,
  changes: Partial<TokenOwner> = {},
): string {
  return app.get(TokenService).sign({ id, account, ver, ...changes });
}
