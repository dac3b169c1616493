import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { sendSuccess } from '../response/send-json.js';

const MAX_IN_FLIGHT = 8;

/**
 * Makes any request target parseable, because Express would send its own HTML page for an unparseable one. A fragment
 * is ignored as in nginx. With a fragment or white space, Express would use a parser that finds a different path than
 * nginx does. Only Node before 20.19.2 accepts white space.
 */
function toParseableTarget(target: string): string {
  if (target.startsWith('/'))
    return target.replace(/#.*/s, '').replaceAll(/\s/g, encodeURIComponent);
  return URL.canParse(target) ? target : `/${encodeURIComponent(target.replace(/[?#].*/s, ''))}`;
}

/**
 * Creates requests and responses with Express's prototypes. Express itself replaces the prototypes of every request,
 * which prevents V8 from optimising them and causes four fifths of the cost of a bare Express request.
 */
export class NativeExpressAdapter extends ExpressAdapter {
  /** Runs before Express. It returns false if the response has already been sent. */
  admit: (request: IncomingMessage, response: ServerResponse) => boolean = () => true;

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class NativeRequest extends IncomingMessage {}
    class NativeResponse extends ServerResponse {}
    Object.setPrototypeOf(NativeRequest.prototype, express.request);
    Object.setPrototypeOf(NativeResponse.prototype, express.response);
    express.request = NativeRequest.prototype as Express['request'];
    express.response = NativeResponse.prototype as Express['response'];
    const classes = { IncomingMessage: NativeRequest, ServerResponse: NativeResponse };
    this.httpServer = createServer(
      classes,
      limitPipelining((request, response) => {
        request.url = toParseableTarget(request.url!);
        if (this.admit(request, response)) express(request, response);
      }),
    );
  }

  /**
   * Wraps a handler's return value. Handlers that write to the response themselves bypass this method. An interceptor
   * would take an eighth of the time of a whole request.
   */
  override reply(response: Response, data: unknown, status = response.statusCode): void {
    sendSuccess(response.status(status), data);
  }
}

interface Connection {
  inFlight: number;
  /** Contains requests that were read together with others, but not started. */
  waiting: Array<() => void>;
}

/**
 * Handles up to eight requests of a connection at a time and pauses reading meanwhile. Otherwise a client that sends
 * thousands of requests at the same time would delay all other clients.
 */
function limitPipelining(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { inFlight: 0, waiting: [] }));
    const { waiting } = connection;
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.shift();
        // Without setImmediate, responses from memory would follow each other without a turn for other connections.
        if (next) setImmediate(next);
        else connection.inFlight--;
      });
      // The last request may still need its body.
      if (waiting.length === 0 && socket.isPaused()) socket.resume();
      handle(request, response);
    };
    if (connection.inFlight >= MAX_IN_FLIGHT) {
      waiting.push(begin);
      // The data that was already read must be parsed first, because Node resumes reading when a request ends.
      process.nextTick(() => socket.pause());
      return;
    }
    connection.inFlight++;
    begin();
  };
}
