import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.js';
import { environmentFor } from '../config/load-configuration.js';
import { CODE_ROOT } from '../config/project-root.js';
import { log } from '../log/log.js';

const PROGRAM = join(CODE_ROOT, 'desk.js');
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 60_000];
const TAKEN_LOOK_MS = 5000;

/**
 * Runs the desk in a process of its own, so that none of its faults, its memory and its load reaches players. Starts
 * it again when it dies, later each time; it ends with this process. Of several instances on a machine, one has it.
 */
export async function superviseDesk(
  environment: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>,
  /** What it needs to know beyond the environment of this process. */
  given: Parameters<typeof environmentFor>[0] = {},
): Promise<void> {
  if (environment.DESK_PORT === 0) return;
  const now: { desk?: ChildProcess; stopping: boolean } = { stopping: false };
  const stop = () => {
    now.stopping = true;
    now.desk?.kill();
  };
  for (const event of ['SIGTERM', 'SIGINT', 'exit']) process.on(event, stop);

  for (let wait = SHORTEST_PAUSE_MS; !now.stopping;) {
    await portIsFree(environment);
    if (now.stopping) return;
    const born = Date.now();
    const desk = (now.desk = begin(environmentFor(given)));
    const [code, signal] = desk ? await ended(desk) : [null, null];
    if (now.stopping) return;
    if (Date.now() - born > LONGEST_PAUSE_MS) wait = SHORTEST_PAUSE_MS;
    log.error(
      { desk: desk?.pid, code, signal },
      `the desk died and is started again in ${wait / 1000} s`,
    );
    await pause(wait, undefined, { ref: false });
    wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
  }
}

/** Without memory for another process `fork` throws: that may not end this one. */
function begin(env: NodeJS.ProcessEnv): ChildProcess | undefined {
  try {
    return fork(PROGRAM, [], { env });
  } catch (error) {
    log.error({ err: error }, 'the desk cannot be started');
    return undefined;
  }
}

/** Nothing of it may end this process. */
function ended(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      log.error({ err: error }, 'the desk cannot be started or reached');
      if (child.pid === undefined) resolve([null, null]);
    });
    child.once('exit', (...how) => resolve(how));
  });
}

/** Waits as long as it is not. Another instance on this machine may be there first, and may end. */
async function portIsFree({ DESK_PORT, DESK_HOST }: Pick<Environment, 'DESK_PORT' | 'DESK_HOST'>) {
  for (let told = false; await isTaken(DESK_PORT, DESK_HOST); told = true) {
    if (!told) log.warn(`no desk here while ${DESK_HOST}:${DESK_PORT} is taken by another program`);
    await pause(TAKEN_LOOK_MS, undefined, { ref: false });
  }
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
  });
}
