import { type Server, ZONE_STATUSES } from './server.entity.js';

/**
 * What is wrong with a row, in words for the person who typed it. The table refuses most of this itself, but
 * tables moved over from elsewhere, and sessions with checks switched off, do not.
 */
export function zoneProblem(server: Server): string | undefined {
  if (!server.name?.trim()) return 'its name is empty';
  if (!server.address?.trim()) return 'its address is empty';
  if (/[\s/?#]/.test(server.address)) return 'its address is not a host name or address';
  if (!isPort(server.port)) return `its port ${server.port} is not between 1 and 65535`;
  if (!ZONE_STATUSES.includes(server.status)) return `its status "${server.status}" is unknown`;
  if (server.openAt && Number.isNaN(server.openAt.getTime())) return 'its open_at is not a time';
  return undefined;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65535;
}
