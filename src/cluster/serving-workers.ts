import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../config/environment.js';

const SERVING = 'gatehouse:serving';

/** Servers that the desk needs to know, too. */
export type KnownServers = Pick<Environment, 'SMTP_URL' | 'GAME_DATABASE_URL'>;

interface Serving {
  type: typeof SERVING;
  servers: KnownServers;
}

/** In a worker that listens: which servers it uses. Those of a sandbox are its own, at ports that nobody chose. */
export function tellServing({ SMTP_URL, GAME_DATABASE_URL }: Environment): void {
  const servers = { SMTP_URL, GAME_DATABASE_URL };
  process.send?.({ type: SERVING, servers } satisfies Serving);
}

/**
 * In the primary: once a worker listens, the servers of that one. A desk that is started with them keeps them: where
 * that worker dies, the stand-ins of a first run that the desk knows are gone until the next start.
 */
export function firstServing(): Promise<KnownServers> {
  return new Promise((resolve) => {
    const receive = (_worker: Worker, message: Serving) => {
      if (message.type !== SERVING) return;
      cluster.off('message', receive);
      resolve(message.servers);
    };
    cluster.on('message', receive);
  });
}
