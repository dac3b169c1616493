import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../config/environment.js';

const LISTENING = 'gatehouse:serving';

/** Servers that the desk needs to know, too. */
export type ServiceUrls = Pick<Environment, 'SMTP_URL' | 'GAME_DATABASE_URL'>;

interface ListeningMessage {
  type: typeof LISTENING;
  urls: ServiceUrls;
}

/** In a worker that listens: which servers it uses. Those of a sandbox are its own, at ports that nobody chose. */
export function reportListening({ SMTP_URL, GAME_DATABASE_URL }: Environment): void {
  const urls = { SMTP_URL, GAME_DATABASE_URL };
  process.send?.({ type: LISTENING, urls } satisfies ListeningMessage);
}

/**
 * In the primary: once a worker listens, the servers of that one. A desk that is started with them keeps them: where
 * that worker dies, the stand-ins of a first run that the desk knows are gone until the next start.
 */
export function waitForListeningWorker(): Promise<ServiceUrls> {
  return new Promise((resolve) => {
    const receive = (_worker: Worker, message: ListeningMessage) => {
      if (message.type !== LISTENING) return;
      cluster.off('message', receive);
      resolve(message.urls);
    };
    cluster.on('message', receive);
  });
}
