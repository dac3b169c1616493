/** For NODE_OPTIONS: code that a process runs before its own. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

/** Limits of 15 s and more, which only a stop has, pass ten times as fast. */
const FAST = `const { setTimeout } = globalThis;
  globalThis.setTimeout = (then, ms, ...rest) => setTimeout(then, ms >= 15_000 ? ms / 10 : ms, ...rest);`;

export const FAST_STOP = before(FAST);

/** A worker's server never says that it is closed, so its stop hangs; its clock is fast, and the primary's is not. */
export const HANGING_WORKERS = before(
  `import cluster from 'node:cluster';
   import { Server } from 'node:net';
   if (cluster.isWorker) {
     Server.prototype.close = function () { return this; };
     ${FAST}
   }`,
);
