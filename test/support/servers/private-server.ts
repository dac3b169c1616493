import { isStopped } from './process-tree.js';
import { type ManagedProcess } from './processes.js';

/** Runs a private server that can be killed, frozen and restarted on the same port. */
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

  /** Kills the server and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    this.cleanUp();
  }

  /** Sends SIGKILL; `restart()` starts it again with its data. */
  async kill(): Promise<void> {
    await this.#process.stop('SIGKILL');
  }

  /** Freezes the server, so that the kernel still accepts connections, but nothing responds. */
  pause(): void {
    this.#process.signal('SIGSTOP');
    // The threads may keep running briefly and could respond to the next query.
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
