import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { log } from '../../log/log.js';
import { normalizeAddress } from '../request/address.js';
import type { AppError } from '../errors/app-error.js';
import { errorBody } from '../errors/error-body.js';
import { InvalidRequest } from '../errors/http.errors.js';
import { generateRequestId } from '../request/request-id.js';
import { RAW_ERROR_HEADERS } from './security-headers.js';

/** Node's pending response on a socket, which its types leave out. */
type BusySocket = Socket & { _httpMessage?: ServerResponse | null };

/** Answers requests that Node itself refuses (header overflow, bad syntax, too slow) with the uniform error. */
export function handleMalformedRequests(server: Server, count: (error: AppError) => void): void {
  // Node would answer these without a body; `rejectMissingHost` handles them, and Expect may be ignored.
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  server.on('clientError', (broken: NodeJS.ErrnoException, socket: BusySocket) => {
    const { writable, _httpMessage: pendingResponse } = socket;
    if (!writable || pendingResponse) {
      socket.destroy();
      return;
    }
    const requestId = generateRequestId();
    const error = new InvalidRequest(undefined, 'The request could not be read.');
    count(error);
    const address = normalizeAddress(socket.remoteAddress ?? '');
    log.info(
      { request_id: requestId, status: 400, address, error: error.error, reason: broken.code },
      'broken request',
    );
    const body = JSON.stringify(errorBody(error, requestId));
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        ...Object.entries(RAW_ERROR_HEADERS).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}

export function rejectMissingHost(request: Request, _response: Response, next: NextFunction): void {
  const isMissing = request.headers.host === undefined && request.httpVersion === '1.1';
  next(isMissing ? new InvalidRequest(undefined, 'The request names no host.') : undefined);
}
