/** For NODE_OPTIONS: code that a process runs before its own. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

const stretchTimers = (from: number, factor: number) =>
  `const { setTimeout } = globalThis;
   globalThis.setTimeout = (then, ms, ...rest) =>
     setTimeout(then, ms > ${from} ? ms * ${factor} : ms, ...rest);`;

/** Only the limits of a stop are this long; here they pass ten times as fast. */
const FAST = stretchTimers(14_000, 0.1);

export const FAST_STOP_LIMITS = before(FAST);

/** A stop that ends only because a limit of 15 s or more was reached does not end within the test. */
const NEVER = stretchTimers(6_000, 100);

export const NO_STOP_LIMITS = before(NEVER);

/** A worker's server never reports that it is closed, so the worker's stop hangs; the primary has no limits. */
const hangingWorkers = (limitsOfWorkers: string) =>
  before(
    `import cluster from 'node:cluster';
     import { Server } from 'node:net';
     if (cluster.isWorker) {
       Server.prototype.close = function () { return this; };
       ${limitsOfWorkers}
     } else {
       ${NEVER}
     }`,
  );

export const WORKERS_HANG_UNTIL_LIMIT = hangingWorkers(FAST);
export const WORKERS_HANG = hangingWorkers(NEVER);
