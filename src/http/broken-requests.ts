import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from '../log/request-context.js';
import { errorBody } from './error-body.js';
import { InvalidRequest } from './http.errors.js';

/** Gives requests that Node's parser refuses (header overflow, bad syntax, too slow) the uniform error as well. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (!socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    const error = new InvalidRequest(undefined, 'The request could not be read.');
    const body = JSON.stringify(errorBody(error, requestId));
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-store',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}
