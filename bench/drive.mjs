// Generates load with wrk, and reads the memory and CPU time of a process.
import { readFileSync } from 'node:fs';
import { inBench, ManagedProcess } from './support.mjs';

export const CONNECTIONS = 16;

/** Sends requests at full speed. Fails if any response is unexpected. */
export async function drive(url, seconds, { script, args, connections = CONNECTIONS }) {
  const options = ['-t1', `-c${connections}`, '--timeout', '10s', `-d${seconds}s`];
  const wrk = new ManagedProcess('wrk', [
    ...options,
    '-s',
    inBench(script),
    url,
    '--',
    ...args.map(String),
  ]);
  const status = await wrk.exit;
  const [, counted] = /^COUNTED (.*)$/m.exec(wrk.output) ?? [];
  if (status !== 0 || !counted) throw wrk.failure('failed');
  const { requests, errors, microseconds, p50, p99 } = JSON.parse(counted);
  if (errors > 0) throw wrk.failure(`got ${errors} errors`);
  return { requests, seconds: microseconds / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}

export function memoryMb(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}

export function cpuMs(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}
