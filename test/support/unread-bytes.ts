import { readFileSync } from 'node:fs';

const ESTABLISHED = '01';

/** How many connections to this port bring bytes that the server there has not read: what a frozen one was asked. */
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
