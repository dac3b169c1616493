import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { type ExitStatus, ManagedProcess, type ProcessOptions } from './processes.js';
import { removeFolder, temporaryFolder } from './temporary-folder.js';

export interface Gatehouse {
  readonly url: string;
  readonly pid: number;
  readonly process: ManagedProcess;
  readonly logs: () => string;
  /** Sends SIGTERM and returns the exit code; kills the process if that takes longer than `withinMs`. */
  readonly stop: (withinMs?: number) => Promise<ExitStatus>;
  readonly kill: () => Promise<void>;
}

export type Environment = Record<string, string | undefined>;

/** The built service as a process of its own, once it reports that it is ready. */
export async function startGatehouse(
  env: Environment = {},
  options: Pick<ProcessOptions, 'unread'> = {},
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

/** The same without waiting, for a start that is meant to fail. */
export async function spawnGatehouse(
  env: Environment = {},
  options: Pick<ProcessOptions, 'unread'> = {},
): Promise<Gatehouse> {
  const port = env.PORT ?? String(await freePort());
  const folder = temporaryFolder('instance');
  const child = new ManagedProcess('node', [inProject('dist/main.js')], {
    // Not the project's folder: a developer's .env there must not reach the tests.
    ...options,
    cwd: folder,
    env: {
      HOST: '127.0.0.1',
      PORT: port,
      // Only tests of the desk start one.
      DESK_PORT: '0',
      DATA_DIR: folder,
      SETTINGS_FILE: inProject('config/settings.yaml'),
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...env,
    },
  });

  const end = async (signal: NodeJS.Signals, withinMs?: number) => {
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

export function inProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
