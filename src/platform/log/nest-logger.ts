import type { LoggerService, LogLevel } from '@nestjs/common';
import { log } from './log.js';

// Nest's start-up chatter is of no use to operations.
const STARTUP_CONTEXTS = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Routes Nest's `Logger` into pino. */
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

// Nest passes the context (the logging class) last, and for errors the stack before it.
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
