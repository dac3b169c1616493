import { pino } from 'pino';
import { vi } from 'vitest';
import { log } from '../../../src/platform/log/log.js';

export interface CapturedLog {
  readonly text: string;
  readonly lines: Array<Record<string, unknown>>;
  readonly requests: Array<Record<string, unknown>>;
  release(): void;
}

/** Captures what the service in this process logs from now on. */
export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const stream = (log as unknown as Record<symbol, { write(line: string): unknown }>)[
    pino.symbols.streamSym as symbol
  ]!;
  const spy = vi.spyOn(stream, 'write').mockImplementation((line) => lines.push(line));
  const { level } = log;
  log.level = 'info';
  return {
    get text() {
      return lines.join('');
    },
    get lines() {
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    get requests() {
      return this.lines.filter(({ msg }) => msg === 'request');
    },
    release() {
      log.level = level;
      spy.mockRestore();
    },
  };
}
