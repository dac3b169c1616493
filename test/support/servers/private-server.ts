import { isStopped } from './process-tree.js';
import { type ManagedProcess } from './processes.js';

/** A private server that can be killed, frozen and restarted on the same port. */
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

  /** Kills it and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    this.cleanUp();
  }

  /** Sends SIGKILL; `restart()` starts it again with its data. */
  async kill(): Promise<void> {
    await this.#process.stop('SIGKILL');
  }

  /** Freezes it: the kernel still accepts connections, and nothing is answered. */
  pause(): void {
    this.#process.signal('SIGSTOP');
    // The threads may run on for a moment, and could answer the next query.
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
