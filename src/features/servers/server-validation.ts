import { isIP } from 'node:net';
import { type GameServer, SERVER_STATUSES } from './game-server.entity.js';

const HOST_NAME_PATTERN =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/**
 * What is wrong with a row, in words for the person who typed it. The table's own checks refuse most of this, but a
 * session can switch them off, an imported table may lack them, and SQLite stores any type in any column.
 */
export function validateServer(server: GameServer): string | undefined {
  const { name, address, port, status, openAt, group } = server;
  if (!isNonEmptyText(name)) return 'its name is empty';
  if (!isNonEmptyText(address)) return 'its address is empty';
  if (!isHost(address)) return 'its address is not a host name or address';
  if (!isPort(port)) return `its port ${port} is not between 1 and 65535`;
  if (!SERVER_STATUSES.includes(status)) return `its status "${status}" is unknown`;
  if (openAt !== null && !isTime(openAt)) return 'its open_at is not a time';
  if (group !== null && !isNonEmptyText(group))
    return 'its zone_group is empty; write NULL for none';
  return undefined;
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

export function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME_PATTERN.test(text);
}

export function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535;
}

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
