import { type Logger, pino } from 'pino';
import { errorForLog } from './error-for-log.js';

/** JSON lines for machines; the same lines in a readable form when a person watches the terminal. */
const destination = process.stdout.isTTY
  ? (await import('pino-pretty')).default({
      ignore: 'pid,hostname',
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss',
    })
  : pino.destination({ fd: 1, sync: true });

export const log = pino(
  {
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    formatters: { level: (label) => ({ level: label }) },
  },
  destination,
);

/**
 * For what is to be said of one request: the lines bear its id. It is handed down by hand, since AsyncLocalStorage
 * would double the cost of every request on Node 20.
 */
export function requestLog(requestId: string, context: string): Logger {
  return log.child({ request_id: requestId, context });
}
