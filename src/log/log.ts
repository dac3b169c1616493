import { type Logger, pino } from 'pino';
import { errorForLog } from './error-for-log.js';

const BUFFER_BYTES = 1024 * 1024;

/** JSON lines, or readable ones when stdout is a terminal. */
const destination = process.stdout.isTTY
  ? (await import('pino-pretty')).default({
      ignore: 'pid,hostname',
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss',
    })
  : bufferedOutput();

export const log = pino(
  {
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    formatters: { level: (label) => ({ level: label }) },
  },
  destination,
);

let dropped = 0;

/** Log lines that were lost because stdout was not read in time. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * Never blocks: a reader of stdout that stands still must not stop the service. Lines beyond the buffer are dropped.
 * Up to 4 KiB a pipe takes a write as a whole, so the lines of several workers do not mix.
 */
function bufferedOutput() {
  const output = pino.destination({ fd: 1, sync: false, maxLength: BUFFER_BYTES, maxWrite: 4096 });
  output.on('drop', () => dropped++);
  return output;
}

/**
 * A logger whose lines carry the request's id. The id is passed down by hand: on Node 20 AsyncLocalStorage doubles
 * the cost of every request.
 */
export function requestLog(requestId: string, context: string): Logger {
  return log.child({ request_id: requestId, context });
}
