import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HIGHEST = 32_000;

/**
 * Reserves a loopback port until this process ends. The port is below the kernel's range for outgoing connections
 * because a client that keeps retrying a stopped server could take a port in that range. The port `companion`
 * above it is reserved as well.
 */
export async function freePort(companion = 0): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, HIGHEST - companion);
    if ((await take(port)) && (companion === 0 || (await take(port + companion)))) return port;
  }
}

const take = async (port: number) => (await reserve(port)) && (await isFree(port));

/**
 * Reserves the port number by binding a UDP socket to it until the process ends. The same attempt then fails in every
 * other test process on this machine, while a TCP server can still use the port.
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
