import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Limits compression to larger responses, because compressing smaller ones would save no packet. */
export const MIN_COMPRESSED_BYTES = 1024;

export function toEnvelope(data: unknown) {
  return { code: 0, message: 'ok', data: data ?? {} };
}

/** Forbids caching unless the route allows it with `@Header`, because most responses are private. */
export function sendSuccess(response: Response, data: unknown): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  sendJson(response, toEnvelope(data));
}

/** Sends JSON faster than `response.json`, which looks up type and charset for each response. */
export function sendJson(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const isLarge = text.length >= MIN_COMPRESSED_BYTES && isCompressible(body);
  if (isLarge) response.vary('Accept-Encoding');
  if (isLarge && acceptsGzip(response.req)) return sendCompressed(response, text);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function sendCompressed(response: Response, text: string): void {
  gzip(text, (error, bytes) => {
    if (error) return sendBytes(response, Buffer.from(text));
    response.setHeader('Content-Encoding', 'gzip');
    sendBytes(response, bytes);
  });
}

function sendBytes(response: Response, bytes: Buffer): void {
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

export function acceptsGzip(request: Request): boolean {
  // Most programs request no encoding, and negotiating costs more than their response.
  return (
    request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip') === 'gzip'
  );
}

/**
 * Returns false for responses with a token, because the length of a compressed response may reveal its content
 * (BREACH).
 */
function isCompressible(body: object): boolean {
  const { data } = body as { data?: unknown };
  return !(typeof data === 'object' && data !== null && 'token' in data);
}
