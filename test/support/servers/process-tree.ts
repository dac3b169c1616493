import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

// macOS has none; slim images of Linux have no `ps`.
const HAS_PROC = existsSync('/proc/self/stat');

/** The process ids of a process's children. */
export function childrenOf(pid: number): number[] {
  return processes()
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);
}

/** A child that was found a moment ago may have ended by now. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** False for a zombie, too: in a container without init, orphaned processes stay zombies. */
export function isRunning(pid: number): boolean {
  if (HAS_PROC) return !['Z', undefined].includes(statOf(String(pid))?.[0]);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether all of its threads are stopped, as after a SIGSTOP. */
export function isStopped(pid: number): boolean {
  if (!HAS_PROC) return true;
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const [state] = statOf(`${pid}/task/${thread}`) ?? ['T'];
    return state === 'T';
  });
}

/** Each process with its parent. */
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

/** State, parent and so on; undefined for one that has ended. */
function statOf(path: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]?.split(' ');
  } catch {
    return undefined;
  }
}
