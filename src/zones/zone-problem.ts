import { isIP } from 'node:net';
import { type Zone, ZONE_STATUSES } from './zone.entity.js';

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/**
 * What is wrong with a row, in words for the person who typed it. The table refuses most of this itself, but
 * tables moved over from elsewhere, and sessions with checks switched off, do not; and SQLite keeps any value in
 * any column, so that nothing here is sure to be of the type it is declared with.
 */
export function zoneProblem({ name, address, port, status, openAt }: Zone): string | undefined {
  if (!isText(name)) return 'its name is empty';
  if (!isText(address)) return 'its address is empty';
  if (!isIP(address) && !HOST_NAME.test(address))
    return 'its address is not a host name or address';
  if (!isPort(port)) return `its port ${port} is not between 1 and 65535`;
  if (!ZONE_STATUSES.includes(status)) return `its status "${status}" is unknown`;
  if (openAt !== null && !isTime(openAt)) return 'its open_at is not a time';
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535;
}

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
