// The servers of the account database: one, or the three nodes of a Galera cluster.
import { startGalera, startMariaDb, startMySql } from './support.mjs';

/**
 * `nodes` are what instances connect to, and `own` is the one that the harness itself asks. Faults hit `victims`, one at a time:
 * of a cluster two nodes always agree, and the harness's own is spared, so that it can look at any time.
 */
export async function startAccountServers(engine, folder) {
  if (engine !== 'galera') {
    const server = engine === 'mysql' ? await startMySql() : await startMariaDb({ folder });
    return { own: server, nodes: [server], victims: [server], stop: () => server.stop() };
  }
  const { nodes, stop } = await startGalera();
  const [own, ...victims] = nodes;
  return { own, nodes, victims, stop };
}
