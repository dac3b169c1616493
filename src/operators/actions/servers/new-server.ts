import { GameServer } from '../../../features/servers/game-server.entity.js';

export type ServerFields = Partial<Omit<GameServer, 'mergedInto'>>;

const DEFAULTS: ServerFields = {
  status: 'maintenance',
  sort: 0,
  openAt: null,
  gmAddress: null,
  gmPort: 8080,
  gmPath: '/gm',
  dbHost: null,
  dbPort: null,
  group: null,
  recommended: false,
};

export function newServer(fields: ServerFields): GameServer {
  return Object.assign(new GameServer(), DEFAULTS, { mergedInto: null }, fields);
}
