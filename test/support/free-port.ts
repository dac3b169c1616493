import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port nobody listens on, from below the range that the kernel gives to outgoing connections:
 * inside it, a client that keeps retrying a stopped server can take the port itself, or even connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
