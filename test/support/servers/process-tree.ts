import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

// macOS has no /proc, and slim Linux images have no `ps`.
const HAS_PROC = existsSync('/proc/self/stat');

/** Returns the process ids of a process's children. */
export function childrenOf(pid: number): number[] {
  return processes()
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);
}

/** Sends a signal to a process that may already have ended. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns false for a zombie as well, because orphaned processes stay zombies in a container without init. */
export function isRunning(pid: number): boolean {
  if (HAS_PROC) return !['Z', undefined].includes(statOf(String(pid))?.[0]);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether all threads of a process are stopped, as after a SIGSTOP. */
export function isStopped(pid: number): boolean {
  if (!HAS_PROC) return true;
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const [state] = statOf(`${pid}/task/${thread}`) ?? ['T'];
    return state === 'T';
  });
}

/** Returns each process with its parent. */
function processes(): Array<[pid: number, parent: number]> {
  if (!HAS_PROC)
    return spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(name)?.[1])]);
}

/** Returns the fields from the state on, or undefined for a process that has ended. */
function statOf(path: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]?.split(' ');
  } catch {
    return undefined;
  }
}
