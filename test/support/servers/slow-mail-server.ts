import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'message';

/** Runs a mail server that delays its reply to a step and sends a continuation line every second meanwhile. */
export class SlowMailServer {
  readonly reached: Step[] = [];
  delivered = 0;
  private readonly sockets: Socket[] = [];

  private constructor(
    private readonly server: Server,
    private readonly seconds: Partial<Record<Step, number>>,
  ) {
    server.on('connection', (socket) => void this.serve(socket));
  }

  static async start(seconds: Partial<Record<Step, number>>): Promise<SlowMailServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SlowMailServer(server, seconds);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.closed).length;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private async serve(socket: Socket): Promise<void> {
    this.sockets.push(socket.on('error', () => undefined));
    await this.answer(socket, 'greeting', 220);
    let inMessage = false;
    for await (const line of createInterface({ input: socket })) {
      if (inMessage && line !== '.') continue;
      const step: Step = inMessage ? 'message' : (line.slice(0, 4) as Step);
      inMessage = step === 'DATA';
      const answered = await this.answer(socket, step, inMessage ? 354 : 250);
      if (answered && step === 'message') this.delivered++;
    }
  }

  private async answer(socket: Socket, step: Step, code: number): Promise<boolean> {
    this.reached.push(step);
    for (let second = 0; second < (this.seconds[step] ?? 0); second++) {
      await wait(1000);
      if (socket.closed) return false;
      socket.write(`${code}-wait\r\n`);
    }
    socket.write(`${code} go on\r\n`);
    return true;
  }
}
