import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
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
    if ((await take(port)) && (companion === 0 || (await take(port + companion)))) return port;
  }
}

const take = async (port: number) => (await reserve(port)) && (await isFree(port));

/**
 * True if it is this process's from now on. A server may start seconds later, and the tests that run beside this one
 * draw ports, too; so the number is held by a UDP socket, which disturbs no server and ends with the process.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
