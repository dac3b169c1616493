import { readFileSync } from 'node:fs';

const ESTABLISHED = '01';

/**
 * Returns how many connections to this port hold bytes that the server has not read, such as requests to a frozen
 * server.
 */
export function connectionsWithUnreadBytes(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state, queues]) => {
      const unread = parseInt(queues?.split(':')[1] ?? '', 16);
      return address?.endsWith(local) && state === ESTABLISHED && unread > 0;
    }).length;
}
