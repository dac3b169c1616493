import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HIGHEST = 32_000;

/**
 * A loopback port nobody listens on, from below the range that the kernel gives to outgoing connections:
 * inside it, a client that keeps retrying a stopped server can take the port itself, or even connect to itself.
 * The port `companion` above it is free, too, and below that range.
 */
export async function freePort(companion = 0): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, HIGHEST - companion);
    if ((await isFree(port)) && (await isFree(port + companion))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
