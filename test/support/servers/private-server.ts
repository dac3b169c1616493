import { isStopped } from './process-tree.js';
import { type ManagedProcess } from './processes.js';

/** A server of the tests' own that can be stopped, frozen and brought back on the same port. */
export class PrivateServer {
  #process!: ManagedProcess;

  private constructor(
    private readonly launch: () => Promise<ManagedProcess>,
    private readonly cleanUp: () => void,
  ) {}

  static async start(
    launch: () => Promise<ManagedProcess>,
    cleanUp: () => void = () => {},
  ): Promise<PrivateServer> {
    const server = new PrivateServer(launch, cleanUp);
    server.#process = await launch();
    return server;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  get hasExited(): boolean {
    return this.#process.hasExited;
  }

  /** Ends it for good: what it stored is removed. */
  async stop(): Promise<void> {
    await this.kill();
    this.cleanUp();
  }

  /** SIGKILL; `restart()` brings it back with what it had stored. */
  async kill(): Promise<void> {
    await this.#process.stop('SIGKILL');
  }

  /** Freezes it: it accepts connections, through the kernel, and answers nothing. */
  pause(): void {
    this.#process.signal('SIGSTOP');
    // A busy kernel lets the threads go on for a while, and the next query is answered.
    const deadline = performance.now() + 10_000;
    while (!isStopped(this.pid) && performance.now() < deadline);
  }

  resume(): void {
    this.#process.signal('SIGCONT');
  }

  async restart(): Promise<void> {
    if (!this.#process.hasExited) await this.#process.stop('SIGTERM');
    this.#process = await this.launch();
  }
}
