// The servers of the account database: one, or the three nodes of a Galera cluster.
import { setTimeout as pause } from 'node:timers/promises';
import { takesBack } from './fault-kinds.mjs';
import { areInStep, startGalera, startMariaDb, startMySql, takeTurn, until } from './support.mjs';

const IN_STEP_WITHIN_MS = 90_000;
// Longer than it takes the nodes to notice that one was away for a moment.
const IN_STEP_FOR = { looks: 10, every: 250 };
// Two nodes that agree take some milliseconds.
const TURN_MS = 1000;

/**
 * `nodes` are what instances connect to, and `own` is the one that the harness itself asks. `whole` waits until all of a cluster's
 * nodes are in step: only then may the next fault take one away, so that two always agree. `serves` tells whether they do.
 */
export async function startAccountServers({ engine, faults }, folder) {
  if (engine === 'galera') return cluster(await startGalera());
  // The log is written once a second, and a kill takes the rest.
  const args = faults.some(takesBack) ? ['--innodb-flush-log-at-trx-commit=0'] : [];
  const server = engine === 'mysql' ? await startMySql() : await startMariaDb({ folder, args });
  return { own: server, nodes: [server], whole: async () => undefined, stop: () => server.stop() };
}

function cluster({ nodes, stop }) {
  const whole = async () => {
    let looks = 0;
    const holds = async () =>
      (looks = (await areInStep(nodes)) ? looks + 1 : 0) >= IN_STEP_FOR.looks;
    await until(holds, { within: IN_STEP_WITHIN_MS, every: IN_STEP_FOR.every });
  };
  const serves = async ({ without }) => {
    const turns = nodes.filter((node) => node !== without).map((node) => takeTurn(node));
    const isDone = Promise.any(turns).then(
      () => true,
      () => false,
    );
    return Promise.race([isDone, pause(TURN_MS, false)]);
  };
  return { own: nodes[0], nodes, whole, serves, stop };
}
