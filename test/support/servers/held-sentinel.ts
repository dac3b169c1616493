import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
const array = (...texts: string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;

/** Acts as a sentinel that delays its response on request, so that a failover is announced at an exact moment. */
export class HeldSentinel {
  private readonly subscribers = new Set<Socket>();
  private readonly sockets = new Set<Socket>();
  private asked?: () => void;
  private answerHeld?: () => void;

  private constructor(
    private readonly server: Server,
    private master: number,
  ) {
    server.on('connection', (socket) => this.join(socket));
  }

  static async start(master: number): Promise<HeldSentinel> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HeldSentinel(server, master);
  }

  get url(): string {
    return `redis+sentinel://127.0.0.1:${(this.server.address() as AddressInfo).port}/players`;
  }

  get isSubscribed(): boolean {
    return this.subscribers.size > 0;
  }

  /** Delays the response to the next query for the master until `answer()`. Resolves when the query arrives. */
  hold(): Promise<void> {
    return new Promise((asked) => (this.asked = asked));
  }

  /** Announces the new master, as a sentinel does at the end of a failover. */
  switchTo(master: number): void {
    const told = `players 127.0.0.1 ${this.master} 127.0.0.1 ${master}`;
    this.master = master;
    for (const socket of this.subscribers) socket.write(array('message', '+switch-master', told));
  }

  answer(): void {
    this.answerHeld?.();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.subscribers.delete(socket);
    });
    // Commands are short and arrive in whole packets on loopback.
    socket.on('data', (data) => {
      for (const command of data.toString().split(/(?=\*\d+\r\n)/)) this.obey(socket, command);
    });
  }

  private obey(socket: Socket, command: string): void {
    if (/subscribe/i.test(command)) {
      this.subscribers.add(socket);
      socket.write(`*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`);
    } else if (/get-master-addr-by-name/i.test(command)) {
      const answer = () => socket.write(array('127.0.0.1', String(this.master)));
      if (!this.asked) return void answer();
      this.answerHeld = answer;
      this.asked();
      this.asked = undefined;
    } else if (/sentinels/i.test(command)) socket.write(array());
    else socket.write('+OK\r\n');
    return undefined;
  }
}
