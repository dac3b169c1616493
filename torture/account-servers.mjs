// The servers of the account database: a single one, or the three nodes of a Galera cluster.
import { setTimeout as pause } from 'node:timers/promises';
import { losesCommits } from './fault-kinds.mjs';
import { areInStep, startGalera, startMariaDb, startMySql, takeTurn, until } from './support.mjs';

const IN_STEP_WITHIN_MS = 90_000;
// Longer than the nodes take to notice a short outage of one.
const IN_STEP_FOR = { polls: 10, every: 250 };
// A commit takes two healthy nodes some milliseconds.
const COMMIT_WITHIN_MS = 1000;

/**
 * Instances connect to `nodes`, the harness to `own`. `untilInStep` waits until all nodes are in sync, before which the
 * next fault must not hit one, so that two always have a quorum. `serves` tells whether the other nodes commit.
 */
export async function startAccountServers({ engine, faults }, folder) {
  if (engine === 'galera') return cluster(await startGalera());
  // Flushes the log once per second, so that a kill loses the last commits.
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
