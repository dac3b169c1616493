import { freePort } from './free-port.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';

export type Redis = PrivateServer & { readonly url: string; readonly port: number };

export async function startRedis(): Promise<Redis> {
  const port = await freePort();

  const launch = async () => {
    const options = `--bind 127.0.0.1 --port ${port} --appendonly no`;
    const server = new ManagedProcess('redis-server', [...options.split(' '), '--save', '']);
    await server.waitForLine(/Ready to accept connections/);
    return server;
  };

  const server = await PrivateServer.start(launch);
  return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port });
}
