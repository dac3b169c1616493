import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const LONGEST_MS = 15_000;
// Whoever watches `ready` can see it turn 503, as long as there is something to wait for anyway.
const LONGEST_NOTICE_MS = 5000;
// Long enough for a client that was between two requests to send the second and be told to reconnect elsewhere.
const IDLE_GRACE_MS = 1000;

/**
 * Ends the service without breaking a request: each answer closes its connection, new ones are taken only until what
 * was in flight is answered, 5 s at most, then nobody is left.
 */
@Injectable()
export class GracefulStop {
  stopping = false;
  private readonly unanswered = new Set<Response>();
  private readonly silent = new Set<Socket>();
  private deadline?: number;

  /** Milliseconds that work in flight may still take. */
  get timeLeft(): number {
    return Math.max(0, (this.deadline ?? Date.now() + LONGEST_MS) - Date.now());
  }

  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.stopping) closeAfter(response);
    this.unanswered.add(response);
    response.once('close', () => this.unanswered.delete(response));
    next();
  };

  /** Browsers open connections ahead of need; Node does not count one as idle before its first request. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.silent.add(socket);
      socket.once('close', () => this.silent.delete(socket));
    });
    server.on('request', ({ socket }: { socket: Socket }) => this.silent.delete(socket));
  }

  async drain(server: Server): Promise<void> {
    this.stopping = true;
    this.deadline = Date.now() + LONGEST_MS;
    for (const response of this.unanswered) closeAfter(response);
    await this.answered([...this.unanswered]);
    const closed = new Promise<void>((resolve) => {
      // Not http's own close: it cuts idle keep-alive connections at once, under a request that is on its way.
      TcpServer.prototype.close.call(server, () => resolve());
    });
    const idle = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of this.silent) socket.destroy();
    }, IDLE_GRACE_MS);
    const longest = setTimeout(() => server.closeAllConnections(), this.timeLeft);
    await closed;
    clearInterval(idle);
    clearTimeout(longest);
  }

  private async answered(responses: Response[]): Promise<void> {
    const ends = responses.map((response) => new Promise((end) => response.once('close', end)));
    await Promise.race([Promise.all(ends), pause(LONGEST_NOTICE_MS, undefined, { ref: false })]);
  }
}

function closeAfter(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
