import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';

// Ends a test that hangs; on a busy machine a start takes many times as long as on an idle one.
const TIMEOUT_MS = 100_000;

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// Both signals would skip the exit handlers: Vitest ends its workers by SIGTERM, a person the bench by SIGINT.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));

// Debian leaves the sbin folders, where mariadbd and nginx live, out of an ordinary user's path.
const path = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`;

/** How a process ended: its exit code, or the signal that killed it. */
export type ExitStatus = number | NodeJS.Signals;

export interface ProcessOptions {
  /** Added to PATH and HOME; nothing else of this process's environment is passed on. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Leaves stdout unread, as a log collector that hangs does. */
  unread?: boolean;
}

/** A child process with its output; killed, at the latest, when this process exits. */
export class ManagedProcess {
  readonly pid: number | undefined;
  readonly exit: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #events = new EventEmitter();
  #status: ExitStatus | undefined;

  constructor(
    readonly command: string,
    args: string[],
    options: ProcessOptions = {},
  ) {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { PATH: path, HOME: process.env.HOME, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.pid = child.pid;
    running.add(child);
    if (!options.unread) this.#collect(child.stdout);
    this.#collect(child.stderr);
    child.once('error', (error) => this.#lines.push(error.message));
    this.exit = new Promise((resolve) => {
      child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
        running.delete(child);
        this.#status = code ?? signal ?? 'SIGKILL';
        this.#events.emit('change');
        resolve(this.#status);
      });
    });
  }

  get hasExited(): boolean {
    return this.#status !== undefined;
  }

  /** Everything printed so far on stdout and stderr. */
  get output(): string {
    return this.#lines.join('\n');
  }

  async waitForLine(pattern: RegExp, timeoutMs = TIMEOUT_MS): Promise<RegExpMatchArray> {
    const patience = AbortSignal.timeout(timeoutMs);
    for (;;) {
      for (const line of this.#lines) {
        const match = line.match(pattern);
        if (match) return match;
      }
      if (this.hasExited) throw this.failure(`exited (${this.#status}) before printing ${pattern}`);
      await once(this.#events, 'change', { signal: patience }).catch(() => {
        throw this.failure(`did not print ${pattern} within ${timeoutMs} ms`);
      });
    }
  }

  /** Polls until the process is ready; fails at once when it exits. */
  async waitUntil(isReady: () => Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await isReady())) {
      if (this.hasExited) throw this.failure(`exited (${this.#status}) before it was ready`);
      if (Date.now() > deadline) throw this.failure(`was not ready within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM', timeoutMs = TIMEOUT_MS): Promise<ExitStatus> {
    this.signal(signal);
    // A stopped process receives only SIGKILL until it continues.
    this.signal('SIGCONT');
    const giveUp = setTimeout(() => this.signal('SIGKILL'), timeoutMs);
    try {
      return await this.exit;
    } finally {
      clearTimeout(giveUp);
    }
  }

  failure(what: string): Error {
    return new Error(`${this.command} ${what}\n${this.output}`);
  }

  #collect(stream: Readable): void {
    createInterface(stream).on('line', (line) => {
      this.#lines.push(line);
      this.#events.emit('change');
    });
  }
}
