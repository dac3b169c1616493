import { readFileSync, readdirSync } from 'node:fs';

/** The process ids of a process's children, as the kernel tells them. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

/** A child that was found a moment ago may have ended by now. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether each of its threads stands still, as after a SIGSTOP. */
export function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const [state] = statOf(`${pid}/task/${thread}`) ?? ['T'];
    return state === 'T';
  });
}

function parentOf(pid: string): number | undefined {
  const stat = statOf(pid);
  return stat && Number(stat[1]);
}

/** State, parent and so on; undefined for one that has ended. */
function statOf(path: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]?.split(' ');
  } catch {
    return undefined;
  }
}
