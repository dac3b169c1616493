import type { Response } from 'express';

/** Faster than `response.json`, which looks up type and charset for each answer. */
export function sendJson(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
