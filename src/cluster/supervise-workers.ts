import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { log } from '../log/log.js';
import { answerCountRequests } from './counts-of-all-workers.js';
import { answerMetricsRequests } from './metrics-of-all-workers.js';
import { answerSettingsRequests } from './settings-of-primary.js';
import { onStopSignal } from './stop-signal.js';

// A worker that dies this young cannot start. After this many in a row the instance gives up.
const YOUNG_MS = 10_000;
const MOST_YOUNG_DEATHS = 5;
const RESTART_PAUSE_MS = 500;

/** The primary process of `WORKERS` > 1: restarts workers and keeps their shared counters. Serves no requests. */
export function superviseWorkers(environment: Environment): void {
  log.level = environment.LOG_LEVEL;
  answerCountRequests();
  answerMetricsRequests();
  answerSettingsRequests(new Settings(environment));
  let stopping = false;
  let youngDeaths = 0;

  const start = () => {
    const born = Date.now();
    const worker = cluster.fork();
    // The channel of a dying worker may fail; its exit is handled below.
    worker.on('error', (error) => log.debug({ err: error }, 'worker channel'));
    worker.once('exit', (code, signal) => void replace(worker, born, code, signal));
  };

  const replace = async (worker: Worker, born: number, code: number, signal: string) => {
    if (stopping) return endWhenAllAreGone();
    log.error({ worker: worker.process.pid, code, signal }, 'a worker died');
    youngDeaths = Date.now() - born < YOUNG_MS ? youngDeaths + 1 : 0;
    if (youngDeaths >= MOST_YOUNG_DEATHS) {
      log.fatal(`${youngDeaths} workers in a row died right after their start: giving up`);
      process.exitCode = 1;
      return stop('SIGTERM');
    }
    await pause(RESTART_PAUSE_MS);
    if (!stopping) start();
  };

  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    endWhenAllAreGone();
  };

  const endWhenAllAreGone = () => {
    // A dead worker stays in cluster.workers until its channel has closed.
    if (Object.values(cluster.workers ?? {}).every((worker) => worker?.isDead())) process.exit();
  };

  for (let started = 0; started < environment.WORKERS; started++) start();
  onStopSignal(stop);
}
