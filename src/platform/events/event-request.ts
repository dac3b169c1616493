import * as http from 'node:http';
import * as https from 'node:https';
import { Webhook } from 'standardwebhooks';
import { currentDate } from '../database/database-clock.js';
import type { OutboxEvent } from './event.entity.js';

export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_FAILURE_LENGTH = 200;
const AGENTS = {
  'http:': { request: http.request, agent: new http.Agent({ keepAlive: true }) },
  'https:': { request: https.request, agent: new https.Agent({ keepAlive: true }) },
};

export interface Delivery {
  status?: number;
  /** This is undefined if the endpoint accepted the event. */
  failure?: string;
}

/** Sends an event once, signed with each secret of the endpoint. Redirects are not followed. */
export async function sendEvent(
  url: string,
  secrets: string[],
  { webhookId, body }: Pick<OutboxEvent, 'webhookId' | 'body'>,
): Promise<Delivery> {
  const now = currentDate();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(webhookId, now, body));
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'Gatehouse',
    'webhook-id': webhookId,
    'webhook-timestamp': Math.floor(now.getTime() / 1000),
    'webhook-signature': signatures.join(' '),
  };
  try {
    const status = await post(new URL(url), headers, body);
    return status >= 200 && status < 300 ? { status } : { status, failure: `HTTP ${status}` };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    const isTimeout = name === 'AbortError' || name === 'TimeoutError';
    const failure = isTimeout ? `no answer within ${REQUEST_TIMEOUT_MS / 1000} s` : message || code;
    return {
      failure: Array.from(failure ?? name)
        .slice(0, MAX_FAILURE_LENGTH)
        .join(''),
    };
  }
}

/**
 * Returns the status once the response has ended, so that an endpoint that never ends its responses cannot tie up
 * connections. `fetch` would refuse some ports that game servers may use.
 */
function post(url: URL, headers: http.OutgoingHttpHeaders, body: string): Promise<number> {
  const { request, agent } = AGENTS[url.protocol as keyof typeof AGENTS];
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers, signal });
    let status: number | undefined;
    const settle = (error: Error) => (status === undefined ? reject(error) : resolve(status));
    outgoing.on('error', settle);
    // Node reports no error if the response is a 101, after which it closes the connection.
    outgoing.on('close', () => settle(new Error('the connection was closed without an answer')));
    outgoing.on('response', (response) => {
      status = response.statusCode;
      let size = 0;
      // The body is read only so that the connection can be used again.
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) response.destroy();
      });
      response.on('error', () => undefined);
    });
    outgoing.end(body);
  });
}
