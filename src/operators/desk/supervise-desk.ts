import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CODE_ROOT } from '../../platform/config/build-info.js';
import type { Environment } from '../../platform/config/environment.js';
import { childEnvironment } from '../../platform/config/load-configuration.js';
import { log } from '../../platform/log/log.js';

/** The desk exits with this code, EX_TEMPFAIL, if another program holds its port. */
export const PORT_TAKEN = 75;
const PROGRAM = join(CODE_ROOT, 'desk.js');
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [1000, 60_000];
const PORT_CHECK_MS = 5000;

/**
 * Runs the desk in a child process, so that its faults, memory and load do not affect players. Restarts the desk with
 * growing delays when it dies, and stops it when this process stops. If a machine runs several instances, only one of
 * them runs the desk.
 */
export async function superviseDesk(
  environment: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>,
  /** The desk gets these variables in addition to the environment of this process. */
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
    const startedAt = performance.now();
    const desk = (state.desk = forkDesk(childEnvironment(overrides)));
    const [code, signal] = desk ? await waitForExit(desk) : [null, null];
    if (state.stopping) return;
    if (code === PORT_TAKEN) continue;
    if (performance.now() - startedAt > MAX_BACKOFF_MS) backoff = MIN_BACKOFF_MS;
    log.error(
      { desk: desk?.pid, code, signal },
      `the desk exited unexpectedly and restarts in ${backoff / 1000} s`,
    );
    await pause(backoff, undefined, { ref: false });
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
  }
}

/** `fork` throws if memory is short, and that error must not end this process. */
function forkDesk(env: NodeJS.ProcessEnv): ChildProcess | undefined {
  try {
    return fork(PROGRAM, [], { env });
  } catch (error) {
    log.error({ err: error }, 'the desk cannot be started');
    return undefined;
  }
}

/** No error of the desk may end this process. */
function waitForExit(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      log.error({ err: error }, 'the desk cannot be started or reached');
      if (child.pid === undefined) resolve([null, null]);
    });
    child.once('exit', (...how) => resolve(how));
  });
}

/** Waits until the port is free, because another instance on this machine may hold it. */
async function waitForFreePort({
  DESK_PORT,
  DESK_HOST,
}: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>) {
  for (let warned = false; await isPortTaken(DESK_PORT, DESK_HOST); warned = true) {
    if (!warned)
      log.warn(`cannot start the desk while ${DESK_HOST}:${DESK_PORT} is taken by another program`);
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
