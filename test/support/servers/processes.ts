import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';

// This timeout ends a test that hangs; on a busy machine startup takes many times as long as on an idle one.
const TIMEOUT_MS = 100_000;

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// Vitest ends its workers with SIGTERM, and a user ends the bench with SIGINT; both would skip the exit handlers.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));

// Debian omits the sbin folders, which contain mariadbd and nginx, from an ordinary user's path.
const path = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`;

/** A process ends with an exit code or by a signal. */
export type ExitStatus = number | NodeJS.Signals;

export interface ProcessOptions {
  /** The process gets only these variables, PATH and HOME. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Leaves stdout unread, like a hanging log collector. */
  unread?: boolean;
}

/** Runs a child process and keeps its output. The child is killed when this process exits. */
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

  /** Polls until the process is ready, and fails immediately if it exits. */
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
