import { type Logger, pino } from 'pino';
import { serializeError } from './serialize-error.js';
import { LogOutput } from './log-output.js';

/** Internal to Node and not in its types. A file has none. */
interface StdoutHandle {
  setBlocking(isBlocking: boolean): void;
}

// Every time: when the desk starts, libuv makes the shared stdout block again.
const unblock = () => {
  const { _handle: handle } = process.stdout as { _handle?: Partial<StdoutHandle> | null };
  handle?.setBlocking?.(false);
};
const output = new LogOutput(1, unblock);
process.on('exit', () => output.flushSync());

/** JSON lines, or readable ones when stdout is a terminal. */
const destination = process.stdout.isTTY
  ? (await import('pino-pretty')).default({
      ignore: 'pid,hostname',
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss',
    })
  : output;

export const log = pino(
  {
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: { level: (label) => ({ level: label }) },
  },
  destination,
);

/** Log lines that were lost because stdout was not read in time. */
export function droppedLogLines(): number {
  return output.dropped;
}

/**
 * A logger whose lines contain the request's id. The id is passed explicitly: on Node 20 AsyncLocalStorage doubles the
 * cost of every request.
 */
export function requestLog(requestId: string, context: string): Logger {
  return log.child({ request_id: requestId, context });
}
