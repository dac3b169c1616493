import type { DataSourceOptions } from 'typeorm';
import { CreateServer1794700800000 } from './1794700800000-create-server.js';
import { CreatePlayer1794700801000 } from './1794700801000-create-player.js';
import { CreateChat1794704000000 } from './1794704000000-create-chat.js';

/** Every migration, oldest first. */
export const MIGRATIONS: NonNullable<DataSourceOptions['migrations']> = [
  CreateServer1794700800000,
  CreatePlayer1794700801000,
  CreateChat1794704000000,
];
