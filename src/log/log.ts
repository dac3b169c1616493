import { pino } from 'pino';
import { errorForLog } from './error-for-log.js';
import { requestContext } from './request-context.js';

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
    mixin: () => {
      const context = requestContext();
      return context ? { request_id: context.requestId } : {};
    },
  },
  destination,
);
