// Starts the account database, which is a single server or a Galera cluster of three nodes.
import { setTimeout as pause } from 'node:timers/promises';
import { losesCommits } from './fault-kinds.mjs';
import { areInStep, startGalera, startMariaDb, startMySql, takeTurn, until } from './support.mjs';

const IN_STEP_WITHIN_MS = 90_000;
// Within this time, the nodes notice a short outage of one node.
const IN_STEP_FOR = { polls: 10, every: 250 };
// With two healthy nodes, a commit takes a few milliseconds.
const COMMIT_WITHIN_MS = 1000;

/**
 * Instances connect to `nodes`, and the harness connects to `own`. `untilInStep` waits until all nodes are in
 * sync. Only then may the next fault hit a node, so that two nodes always have a quorum. `serves` tells whether
 * the other nodes commit.
 */
export async function startAccountServers({ engine, faults }, folder) {
  if (engine === 'galera') return cluster(await startGalera());
  // The server flushes its log once per second, so that a kill loses the last commits.
  const args = faults.some(losesCommits) ? ['--innodb-flush-log-at-trx-commit=0'] : [];
  const server = engine === 'mysql' ? await startMySql() : await startMariaDb({ folder, args });
  return {
    own: server,
    nodes: [server],
    untilInStep: async () => undefined,
    stop: () => server.stop(),
  };
}

function cluster({ nodes, stop }) {
  const untilInStep = async () => {
    let polls = 0;
    const isStable = async () =>
      (polls = (await areInStep(nodes)) ? polls + 1 : 0) >= IN_STEP_FOR.polls;
    await until(isStable, { within: IN_STEP_WITHIN_MS, every: IN_STEP_FOR.every });
  };
  const serves = async ({ without }) => {
    const commits = nodes.filter((node) => node !== without).map((node) => takeTurn(node));
    const isDone = Promise.any(commits).then(
      () => true,
      () => false,
    );
    return Promise.race([isDone, pause(COMMIT_WITHIN_MS, false)]);
  };
  return { own: nodes[0], nodes, untilInStep, serves, stop };
}
