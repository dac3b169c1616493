/** For NODE_OPTIONS: code that a process runs before its own. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

const stretchTimers = (from: number, factor: number) =>
  `const { setTimeout } = globalThis;
   globalThis.setTimeout = (then, ms, ...rest) =>
     setTimeout(then, ms > ${from} ? ms * ${factor} : ms, ...rest);`;

/** Only the limits of a stop are this long; here they pass ten times as fast. */
const FAST = stretchTimers(14_000, 0.1);

/** A stop that ends only because a limit of 15 s or more was reached does not end within the test. */
const NEVER = stretchTimers(6_000, 100);

export const NO_STOP_LIMITS = before(NEVER);

/** The server never reports that it is closed, so the stop hangs until its limit. */
export const HANGS_UNTIL_STOP_LIMIT = before(
  `import { Server } from 'node:net';
   Server.prototype.close = function () { return this; };
   ${FAST}`,
);
