import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const DRAIN_TIMEOUT_MS = 15_000;
// While requests are in flight, new connections are still accepted, so that probes see `ready` turn 503.
const ACCEPT_GRACE_MS = 5000;
// A client between two requests can still send the second one; the answer tells it to reconnect.
const IDLE_GRACE_MS = 1000;

/**
 * Stops the service without breaking a request. Every answer closes its connection; new connections are accepted
 * until the requests in flight are answered, for 5 s at most. After 15 s everything is closed.
 */
@Injectable()
export class GracefulShutdown {
  isStopping = false;
  private readonly unanswered = new Map<Socket, Set<Response>>();
  private readonly idleSockets = new Set<Socket>();
  /** By the monotonic clock, which nobody sets. */
  private deadline?: number;

  /** Milliseconds left for work in flight. */
  get timeLeft(): number {
    return Math.max(0, (this.deadline ?? performance.now() + DRAIN_TIMEOUT_MS) - performance.now());
  }

  readonly middleware = ({ socket }: Request, response: Response, next: NextFunction): void => {
    if (this.isStopping) closeAfterResponse(response);
    const pending = this.unanswered.get(socket);
    pending?.add(response);
    response.once('close', () => pending?.delete(response));
    next();
  };

  /** Tracks connections without a request yet: browsers open them ahead, and Node does not count them as idle. */
  trackConnections(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const pending = new Set<Response>();
      this.idleSockets.add(socket);
      this.unanswered.set(socket, pending);
      socket.once('close', () => {
        this.idleSockets.delete(socket);
        this.unanswered.delete(socket);
        closePipelined(pending);
      });
    });
    server.on('request', ({ socket }: { socket: Socket }) => this.idleSockets.delete(socket));
  }

  async drain(server: Server): Promise<void> {
    this.isStopping = true;
    this.deadline = performance.now() + DRAIN_TIMEOUT_MS;
    const unanswered = [...this.unanswered.values()].flatMap((pending) => [...pending]);
    unanswered.forEach(closeAfterResponse);
    await this.waitForResponses(unanswered);
    const closed = new Promise<void>((resolve) => {
      // Not http's own close(), which cuts idle keep-alive connections at once, even if a request is on its way.
      TcpServer.prototype.close.call(server, () => resolve());
    });
    const idle = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of this.idleSockets) socket.destroy();
    }, IDLE_GRACE_MS);
    const longest = setTimeout(() => server.closeAllConnections(), this.timeLeft);
    await closed;
    clearInterval(idle);
    clearTimeout(longest);
  }

  private async waitForResponses(responses: Response[]): Promise<void> {
    const ends = responses.map((response) => new Promise((end) => response.once('close', end)));
    await Promise.race([Promise.all(ends), pause(ACCEPT_GRACE_MS, undefined, { ref: false })]);
  }
}

/** Node emits no `close` on the responses to pipelined requests that were waiting for their turn. */
function closePipelined(pending: Set<Response>): void {
  for (const response of pending) if (!response.socket) response.emit('close');
}

function closeAfterResponse(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
