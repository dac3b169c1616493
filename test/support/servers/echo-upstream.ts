import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { freePort } from './free-port.js';

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  bytes: number;
}

export interface EchoUpstream {
  readonly address: string;
  readonly received: Received[];
  /** Resets the connection of each later request after reading it. */
  readonly resetFromNowOn: () => void;
  /** Reads each later request and never responds. */
  readonly freezeFromNowOn: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Replaces an instance behind nginx. It echoes each request as JSON, with the requested X-Answer-Status and
 * X-Answer-Type.
 */
export async function startEchoUpstream(): Promise<EchoUpstream> {
  const received: Received[] = [];
  let resetting = false;
  let frozen = false;

  const server = createServer((request, response) => {
    void read(request).then((echo) => {
      received.push(echo);
      if (frozen) return undefined;
      if (resetting) return request.socket.resetAndDestroy();
      response.statusCode = Number(request.headers['x-answer-status'] ?? 200);
      response.setHeader('X-Powered-By', 'Express');
      const type = request.headers['x-answer-type'] ?? 'application/json';
      response.setHeader('Content-Type', type);
      return response.end(JSON.stringify(echo));
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    address: `127.0.0.1:${port}`,
    received,
    resetFromNowOn: () => {
      resetting = true;
    },
    freezeFromNowOn: () => {
      frozen = true;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(request, 'end');
  return { method: request.method!, url: request.url!, headers: request.headers, bytes };
}
