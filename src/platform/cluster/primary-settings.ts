import cluster from 'node:cluster';
import type { Settings } from '../config/settings.js';

const REQUEST = 'gatehouse:settings?';
const ANSWER = 'gatehouse:settings';

interface SettingsAnswer {
  type: typeof ANSWER;
  text: string;
}

/** In the primary: tells a starting worker which settings are in force, so that a refused file does not stop it. */
export function answerSettingsRequests(settings: Settings): void {
  cluster.on('message', (worker, message: { type?: unknown }) => {
    if (message.type !== REQUEST) return;
    worker.send({ type: ANSWER, text: settings.acceptedText } satisfies SettingsAnswer);
  });
}

/** In a worker, at its start: the settings that its primary has in force. */
export function fetchPrimarySettings(): Promise<string> {
  return new Promise((resolve) => {
    const receive = (message: SettingsAnswer) => {
      if (message.type !== ANSWER) return;
      process.off('message', receive);
      resolve(message.text);
    };
    process.on('message', receive);
    process.send?.({ type: REQUEST });
  });
}
