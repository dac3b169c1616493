import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { type ExitStatus, ManagedProcess, type ProcessOptions } from './processes.js';
import { removeFolder, temporaryDataFolder } from './temporary-folder.js';

export interface Gatehouse {
  readonly url: string;
  readonly pid: number;
  readonly process: ManagedProcess;
  readonly logs: () => string;
  /** Sends SIGTERM and returns the exit code; kills the process after `withinMs`. */
  readonly stop: (withinMs?: number) => Promise<ExitStatus>;
  readonly kill: () => Promise<void>;
}

interface Dispatcher {
  constructor: new () => Dispatcher;
  close: () => Promise<void>;
}

// Node.js does not export its fetch dispatcher.
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

export type Environment = Record<string, string | undefined>;

interface InstanceOptions extends Pick<ProcessOptions, 'unread'> {
  /** The process runs the build in this folder, such as a release, instead of the current one. */
  build?: string;
}

/** Starts the built service as a process and waits until it is ready. */
export async function startGatehouse(
  env: Environment = {},
  options: InstanceOptions = {},
): Promise<Gatehouse> {
  const gatehouse = await spawnGatehouse(env, options);
  await gatehouse.process
    .waitUntil(() => isReady(gatehouse.url))
    .catch(async (error) => {
      await gatehouse.kill();
      throw error;
    });
  return gatehouse;
}

/** Starts the service without waiting, for example to see it fail. */
export async function spawnGatehouse(
  env: Environment = {},
  { build = inProject('.'), ...options }: InstanceOptions = {},
): Promise<Gatehouse> {
  const port = env.PORT ?? String(await freePort());
  const folder = temporaryDataFolder('instance');
  const child = new ManagedProcess('node', [join(build, 'dist/main.js')], {
    // The process does not run in the project folder because a developer's .env there must not affect tests.
    ...options,
    cwd: folder,
    env: {
      HOST: '127.0.0.1',
      PORT: port,
      // Only desk tests start a desk.
      DESK_PORT: '0',
      DATA_DIR: folder,
      SETTINGS_FILE: join(build, 'config/settings.yaml'),
      AGREEMENT_FILE: join(build, 'config/agreement.html'),
      ...env,
    },
  });

  const end = async (signal: NodeJS.Signals, withinMs?: number) => {
    closeIdleFetchConnections();
    const status = await child.stop(signal, withinMs);
    removeFolder(folder);
    return status;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    process: child,
    logs: () => child.output,
    stop: (withinMs) => end('SIGTERM', withinMs),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Closes fetch's idle connections because a stopping instance waits 5 s for a proxy's connections. */
function closeIdleFetchConnections(): void {
  const known = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const dispatcher = known[GLOBAL_DISPATCHER];
  if (!dispatcher) return;
  known[GLOBAL_DISPATCHER] = new dispatcher.constructor();
  // Requests in flight finish first.
  void dispatcher.close();
}

export function inProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
