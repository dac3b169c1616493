/** For NODE_OPTIONS: code that a process runs before its own. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

/** The clock of a stop goes ten times as fast: limits of 15 s and more, and no others. */
export const FAST_STOP = before(
  `const { setTimeout } = globalThis;
   globalThis.setTimeout = (then, ms, ...rest) => setTimeout(then, ms >= 15_000 ? ms / 10 : ms, ...rest);`,
);

/** A server never says that it is closed, so the stop of the process hangs. */
export const HANGING_STOP = `${FAST_STOP} ${before(
  `import { Server } from 'node:net';
   Server.prototype.close = function () { return this; };`,
)}`;
