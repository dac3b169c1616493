import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { log } from '../../log/log.js';

const DRAIN_TIMEOUT_MS = 15_000;
// Running requests have 15 s, and their pending writes 2 s more. Supervisors are configured to wait for 20 s.
const STOP_TIMEOUT_MS = 18_000;
// nginx closes an idle upstream connection after 4 s (keepalive_timeout in config/nginx.conf) and retries a restarted
// instance after 2 s (fail_timeout). Until then, nginx needs this instance.
const ACCEPT_GRACE_MS = 5000;
// If no new connection arrives for this long, no proxy sends requests to this instance.
const QUIET_MS = 1000;
const POLL_MS = 20;
// A connected client is expected to send its request within this time.
const IDLE_GRACE_MS = 1000;
// Many event loop turns are shorter than this, even on a busy instance. A connection that arrives during the last turn is
// reset.
const [SHORT_TURN_MS, SHORT_TURN_WITHIN_MS] = [0.02, 1000];

/**
 * Stops the service without breaking a request. Every response closes its connection. While clients keep connections
 * open or open new ones, the service accepts requests for up to 5 s. It closes idle connections only after that,
 * because a proxy could send a request while the service closes the connection. After 15 s, it closes all connections.
 */
@Injectable()
export class GracefulShutdown {
  isStopping = false;
  private readonly unanswered = new Map<Socket, Set<Response>>();
  private readonly idleSockets = new Set<Socket>();
  /** Uses the monotonic clock, because the system clock may change. */
  private deadline?: number;
  /** Counts connections since the stop signal. */
  private acceptedCount = 0;
  private lastAccepted = -Infinity;

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

  /** Tracks connections without a request. Browsers open them in advance, and Node does not count them as idle. */
  trackConnections(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if (this.isStopping) {
        this.acceptedCount++;
        this.lastAccepted = performance.now();
      }
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
    for (const pending of this.unanswered.values()) pending.forEach(closeAfterResponse);
    await this.waitUntilUnused();
    await this.waitForEmptyBacklog();
    const closed = new Promise<void>((resolve) => {
      // `http.Server.close()` would close idle keep-alive connections immediately, even if a request is already on its
      // way.
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

  private async waitUntilUnused(): Promise<void> {
    const end = performance.now() + ACCEPT_GRACE_MS;
    while (this.isUsed && performance.now() < end) await pause(POLL_MS);
  }

  private get isUsed(): boolean {
    const usedSockets = this.unanswered.size - this.idleSockets.size;
    return usedSockets > 0 || performance.now() - this.lastAccepted < QUIET_MS;
  }

  /**
   * Waits until the kernel holds no connection that the service has not accepted, because closing the listening socket
   * would reset such connections. A short event loop turn that accepts no connection shows that none is left.
   */
  private async waitForEmptyBacklog(): Promise<void> {
    const end = performance.now() + SHORT_TURN_WITHIN_MS;
    for (let began = 0; began < end;) {
      const before = this.acceptedCount;
      began = performance.now();
      await nextTurn();
      const wasShort = performance.now() - began < SHORT_TURN_MS;
      if (wasShort && this.acceptedCount === before) return;
    }
  }
}

/** Emits `close` on responses to waiting pipelined requests, because Node does not. */
function closePipelined(pending: Set<Response>): void {
  for (const response of pending) if (!response.socket) response.emit('close');
}

function closeAfterResponse(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Exits with 1 if the shutdown hangs. `step` returns the current step for the log. */
export function enforceStopDeadline(step: () => string): void {
  setTimeout(() => {
    log.fatal(
      `still ${step()} ${STOP_TIMEOUT_MS / 1000} s after the stop signal: exiting without finishing it`,
    );
    process.exit(1);
  }, STOP_TIMEOUT_MS);
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let onStop: ((signal: NodeJS.Signals) => void) | undefined;
let stopping = false;

/**
 * Replaces the action for the first stop signal. Later signals are ignored, because npm forwards a Ctrl-C that this
 * process already received, and systemd signals every process of the unit. `enforceStopDeadline` ends a shutdown that
 * hangs.
 */
export function onStopSignal(handler: (signal: NodeJS.Signals) => void): void {
  // The listener is permanent, because removing it would lose a signal that was not yet delivered.
  if (!onStop) for (const signal of SIGNALS) process.on(signal, stopOnce);
  onStop = handler;
}

function stopOnce(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  onStop?.(signal);
}
