import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryFolder } from './temporary-folder.js';

export interface HaProxy {
  readonly port: number;
  /** Returns whether a node accepts writes, like the container's health check. */
  readonly isHealthy: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** Starts HAProxy with `config/cluster/haproxy.cfg`, in which only addresses are replaced. */
export async function startHaProxy(nodes: { port: number }[]): Promise<HaProxy> {
  const folder = temporaryFolder('haproxy');
  const file = join(folder, 'haproxy.cfg');
  const [port, health] = [await freePort(), await freePort()];
  const config = readFileSync(
    new URL('../../../config/cluster/haproxy.cfg', import.meta.url),
    'utf8',
  );
  const replacements: [string, string][] = [
    ['bind :3306', `bind 127.0.0.1:${port}`],
    ['bind 127.0.0.1:8404', `bind 127.0.0.1:${health}`],
    ...nodes.map((node, index): [string, string] => [
      `server db${index + 1} db${index + 1}:3306`,
      `server db${index + 1} 127.0.0.1:${node.port}`,
    ]),
  ];
  writeFileSync(
    file,
    replacements.reduce((text, [ours, local]) => {
      if (!text.includes(ours)) throw new Error(`config/cluster/haproxy.cfg has no "${ours}"`);
      return text.replace(ours, local);
    }, config),
  );

  const child = new ManagedProcess('haproxy', ['-db', '-f', file]);
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${health}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    port,
    isHealthy,
    stop: async () => {
      await child.stop('SIGTERM');
      removeFolder(folder);
    },
  };
}
