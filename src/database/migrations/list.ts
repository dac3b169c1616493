import type { DataSourceOptions } from 'typeorm';
import { CreateServer1794700800000 } from './1794700800000-create-server.js';
import { CreatePlayer1794700801000 } from './1794700801000-create-player.js';
import { CreateWithdraw1794705000000 } from './1794705000000-create-withdraw.js';

/** Every migration, oldest first. */
export const MIGRATIONS: NonNullable<DataSourceOptions['migrations']> = [
  CreateServer1794700800000,
  CreatePlayer1794700801000,
  CreateWithdraw1794705000000,
];
