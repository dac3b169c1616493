import type { Response } from 'express';
import { sendJson } from './send-json.js';

/** A success as every route answers it. */
export function toEnvelope(data: unknown) {
  return { code: 0, message: 'ok', data: data ?? {} };
}

/** Nothing is cached unless its route says so, with `@Header`: most answers are a player's own. */
export function sendSuccess(response: Response, data: unknown): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  sendJson(response, toEnvelope(data));
}
