import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../platform/config/environment.js';
import { childEnvironment } from '../../platform/config/load-configuration.js';
import { CODE_ROOT } from '../../platform/config/project-root.js';
import { log } from '../../platform/log/log.js';

const PROGRAM = join(CODE_ROOT, 'desk.js');
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [1000, 60_000];
const PORT_CHECK_MS = 5000;

/**
 * Runs the desk in a process of its own, so that none of its faults, its memory and its load reaches players. Starts
 * it again when it dies, later each time; it ends with this process. Of several instances on a machine, one has it.
 */
export async function superviseDesk(
  environment: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>,
  /** What it needs to know beyond the environment of this process. */
  overrides: Parameters<typeof childEnvironment>[0] = {},
): Promise<void> {
  if (environment.DESK_PORT === 0) return;
  const state: { desk?: ChildProcess; stopping: boolean } = { stopping: false };
  const stop = () => {
    state.stopping = true;
    state.desk?.kill();
  };
  for (const event of ['SIGTERM', 'SIGINT', 'exit']) process.on(event, stop);

  for (let backoff = MIN_BACKOFF_MS; !state.stopping;) {
    await waitForFreePort(environment);
    if (state.stopping) return;
    const startedAt = Date.now();
    const desk = (state.desk = forkDesk(childEnvironment(overrides)));
    const [code, signal] = desk ? await waitForExit(desk) : [null, null];
    if (state.stopping) return;
    if (Date.now() - startedAt > MAX_BACKOFF_MS) backoff = MIN_BACKOFF_MS;
    log.error(
      { desk: desk?.pid, code, signal },
      `the desk died and is started again in ${backoff / 1000} s`,
    );
    await pause(backoff, undefined, { ref: false });
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
  }
}

/** Without memory for another process `fork` throws: that may not end this one. */
function forkDesk(env: NodeJS.ProcessEnv): ChildProcess | undefined {
  try {
    return fork(PROGRAM, [], { env });
  } catch (error) {
    log.error({ err: error }, 'the desk cannot be started');
    return undefined;
  }
}

/** Nothing of it may end this process. */
function waitForExit(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      log.error({ err: error }, 'the desk cannot be started or reached');
      if (child.pid === undefined) resolve([null, null]);
    });
    child.once('exit', (...how) => resolve(how));
  });
}

/** Waits as long as it is not. Another instance on this machine may be there first, and may end. */
async function waitForFreePort({
  DESK_PORT,
  DESK_HOST,
}: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>) {
  for (let warned = false; await isPortTaken(DESK_PORT, DESK_HOST); warned = true) {
    if (!warned)
      log.warn(`no desk here while ${DESK_HOST}:${DESK_PORT} is taken by another program`);
    await pause(PORT_CHECK_MS, undefined, { ref: false });
  }
}

function isPortTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
  });
}
