import type { LoggerService, LogLevel } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.js';

const STATEMENT_LENGTH = 500;
// Operators do not need Nest's log lines during startup.
const STARTUP_CONTEXTS = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Describes a part of Node that its types omit. It is missing if stdout is a file. */
interface StdoutHandle {
  setBlocking(isBlocking: boolean): void;
}

// This function runs before every write, because libuv makes the shared stdout blocking again when the desk starts.
const unblock = () => {
  const { _handle: handle } = process.stdout as { _handle?: Partial<StdoutHandle> | null };
  handle?.setBlocking?.(false);
};
const output = new LogOutput(1, unblock);
process.on('exit', () => output.flushSync());

// On a terminal, log lines are readable text instead of JSON.
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

export function droppedLogLines(): number {
  return output.dropped;
}

/**
 * Returns a logger that adds the request's id to its lines. The id is passed explicitly, because AsyncLocalStorage
 * would double the cost of every request on Node 20.
 */
export function requestLog(requestId: string, context: string): Logger {
  return log.child({ request_id: requestId, context });
}

export class NestLogger implements LoggerService {
  log = (message: unknown, ...rest: unknown[]) =>
    write(STARTUP_CONTEXTS.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => write('warn', message, rest);
  error = (message: unknown, ...rest: unknown[]) => write('error', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => write('fatal', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => write('trace', message, rest);
  setLogLevels = (_levels: LogLevel[]) => undefined;
}

/** Nest passes the context (the logging class) last, and for errors the stack before it. */
function write(
  level: 'info' | 'warn' | 'error' | 'fatal' | 'debug' | 'trace',
  message: unknown,
  rest: unknown[],
): void {
  const context = rest.at(-1);
  const stack = rest.length > 1 ? rest[0] : undefined;
  if (message instanceof Error) log[level]({ context, err: message }, 'unexpected error');
  else log[level]({ context, ...(stack === undefined ? {} : { stack }) }, String(message));
}

interface DatabaseError extends Error {
  code?: unknown;
  /** TypeORM's statement contains placeholders. The driver's own `sql` contains the values. */
  query?: unknown;
  driverError?: { code?: unknown };
}

/**
 * Returns the loggable parts of an error. The message of a database error ("Duplicate entry '…'") and its other
 * properties may contain values such as password hashes, so they are omitted.
 */
function serializeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { message, query, driverError, cause } = thrown as DatabaseError;
  const isOfDatabase = driverError !== undefined || 'sqlState' in thrown;
  return {
    type: thrown.constructor.name,
    code: codeOf(thrown) ?? codeOf(driverError) ?? codeOf(cause),
    ...(isOfDatabase ? { statement: beginningOf(query) } : { message }),
    stack: isOfDatabase ? framesOf(thrown) : thrown.stack,
  };
}

/** Shortens a statement, because batched statements are long and the beginning identifies them. */
function beginningOf(statement: unknown): unknown {
  return typeof statement === 'string' ? statement.slice(0, STATEMENT_LENGTH) : statement;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

/** Returns the stack without the message, which its first lines repeat. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
