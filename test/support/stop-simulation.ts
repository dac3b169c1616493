/** Returns NODE_OPTIONS with code that a process runs before its own code. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

const stretchTimers = (from: number, factor: number) =>
  `const { setTimeout } = globalThis;
   globalThis.setTimeout = (then, ms, ...rest) =>
     setTimeout(then, ms > ${from} ? ms * ${factor} : ms, ...rest);`;

/** Makes the shutdown timeouts, the only ones of this length, pass ten times as fast. */
const FAST = stretchTimers(14_000, 0.1);

/** Stretches timers so that a shutdown that relies on a timeout of 15 s or more does not end within the test. */
const NEVER = stretchTimers(6_000, 100);

export const NO_STOP_LIMITS = before(NEVER);

/** Keeps the server from reporting that it is closed, so that the shutdown hangs until its deadline. */
export const HANGS_UNTIL_STOP_LIMIT = before(
  `import { Server } from 'node:net';
   Server.prototype.close = function () { return this; };
   ${FAST}`,
);
