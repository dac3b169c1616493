import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Describes a point in one connection's dialogue: the last of these statements, or the response to it. */
export interface Step {
  statements: RegExp[];
  at: 'statement' | 'answer';
}

interface Watch extends Step {
  reached: () => void;
  act: 'hold' | 'hold every' | 'cut';
  progress: Map<Socket, number>;
}

/** Runs a database proxy that holds or cuts connections at an exact statement. */
export class TcpProxy {
  /** Holds the database's names for all connections so far, as its process list shows them. */
  readonly hosts: string[] = [];
  private readonly sockets = new Set<Socket>();
  private watch?: Watch;
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Drops everything on the connection from this point on. Resolves when the point is reached. */
  holdAt(step: Step): Promise<void> {
    return this.wait(step, 'hold');
  }

  /** Holds every connection that reaches the point before `heal()`. Resolves when the first connection reaches it. */
  holdEveryAt(step: Step): Promise<void> {
    return this.wait(step, 'hold every');
  }

  /** Breaks all connections at this point, and refuses new ones until `heal()`. */
  cutAt(step: Step): Promise<void> {
    return this.wait(step, 'cut');
  }

  heal(): void {
    this.isCut = false;
    this.watch = undefined;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private wait(step: Step, act: Watch['act']): Promise<void> {
    return new Promise((reached) => {
      this.watch = { ...step, act, reached, progress: new Map() };
    });
  }

  private join(client: Socket): void {
    if (this.isCut) return void client.destroy();
    const upstream = connect(this.target, '127.0.0.1');
    upstream.on('connect', () => this.hosts.push(`127.0.0.1:${upstream.localPort}`));
    let held = false;
    let awaitsAnswer = false;
    const pairs: Array<[Socket, Socket]> = [
      [client, upstream],
      [upstream, client],
    ];
    for (const [one, other] of pairs) {
      this.sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (held) return;
      const place = this.placeOf(client, chunk.toString('latin1'));
      if (place === 'statement') held = this.arrive();
      else upstream.write(chunk);
      awaitsAnswer = place === 'answer';
    });
    upstream.on('data', (chunk) => {
      if (held) return;
      if (awaitsAnswer) held = this.arrive();
      else client.write(chunk);
    });
  }

  private placeOf(client: Socket, statement: string): Step['at'] | undefined {
    if (!this.watch) return undefined;
    const { statements, at, progress } = this.watch;
    const done = progress.get(client) ?? 0;
    if (!statements[done]?.test(statement)) return undefined;
    progress.set(client, done + 1);
    return done + 1 === statements.length ? at : undefined;
  }

  private arrive(): boolean {
    const { act, reached } = this.watch ?? {};
    if (act !== 'hold every') this.watch = undefined;
    if (act === 'cut') {
      this.isCut = true;
      for (const socket of this.sockets) socket.destroy();
    }
    reached?.();
    return true;
  }
}
