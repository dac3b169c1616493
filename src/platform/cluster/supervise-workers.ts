import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { log } from '../log/log.js';
import { answerCounterRequests } from './primary-counter-store.js';
import { answerMetricsRequests } from './cluster-metrics.js';
import { PrimaryMetrics } from './primary-metrics.js';
import { answerSettingsRequests } from './primary-settings.js';
import { WORKER_STOP_TIMEOUT_MS } from './stop-deadline.js';
import { onStopSignal } from './stop-signal.js';

// A worker that dies this young cannot start. After this many in a row the instance gives up.
const MIN_UPTIME_MS = 10_000;
const MAX_EARLY_EXITS = 5;
const RESTART_PAUSE_MS = 500;

/** The primary process of `WORKERS` > 1: restarts workers and keeps their shared counters. Serves no requests. */
export function superviseWorkers(environment: Environment): void {
  log.level = environment.LOG_LEVEL;
  const { registry, restarts } = new PrimaryMetrics();
  answerCounterRequests();
  answerMetricsRequests(registry);
  answerSettingsRequests(new Settings(environment));
  let stopping = false;
  let earlyExits = 0;

  const start = () => {
    const startedAt = performance.now();
    try {
      const worker = cluster.fork();
      worker.once('exit', (code, signal) => void replace(worker, startedAt, code, signal));
      worker.on('error', (error) => {
        // One that did not even begin has no exit. The channel of a dying one may fail; its exit is handled.
        if (worker.process.pid === undefined) void retryStart(error);
        else log.debug({ err: error }, 'worker channel');
      });
    } catch (error) {
      void retryStart(error);
    }
  };

  /** The system has no memory, process or file left for another one, which may not end those that serve. */
  const retryStart = async (error: unknown) => {
    log.error({ err: error }, 'a worker cannot be started, trying again');
    await pause(RESTART_PAUSE_MS);
    if (!stopping) start();
  };

  const replace = async (
    worker: Worker,
    startedAt: number,
    code: number | null,
    signal: string,
  ) => {
    if (stopping) return handleExitWhileStopping(worker, code, signal);
    log.error({ worker: worker.process.pid, code, signal }, 'a worker died');
    earlyExits = performance.now() - startedAt < MIN_UPTIME_MS ? earlyExits + 1 : 0;
    if (earlyExits >= MAX_EARLY_EXITS) {
      log.fatal(`${earlyExits} workers in a row died right after their start: giving up`);
      process.exitCode = 1;
      return stop('SIGTERM');
    }
    restarts.inc();
    await pause(RESTART_PAUSE_MS);
    if (!stopping) start();
  };

  const handleExitWhileStopping = (worker: Worker, code: number | null, signal: string | null) => {
    // One that was asked before it could listen ends by that signal.
    const isClean = code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
    if (!isClean) {
      process.exitCode = 1;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker did not end as it should');
    }
    exitWhenAllStopped();
  };

  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    for (const worker of liveWorkers()) worker.process.kill(signal);
    setTimeout(killWorkers, WORKER_STOP_TIMEOUT_MS);
    exitWhenAllStopped();
  };

  const killWorkers = () => {
    process.exitCode = 1;
    for (const worker of liveWorkers()) {
      log.fatal(
        { worker: worker.process.pid },
        `a worker is still there ${WORKER_STOP_TIMEOUT_MS / 1000} s after the stop signal: it is killed`,
      );
      worker.process.kill('SIGKILL');
    }
  };

  const exitWhenAllStopped = () => {
    if (liveWorkers().length === 0) process.exit();
  };

  for (let started = 0; started < environment.WORKERS; started++) start();
  onStopSignal(stop);
}

/** A dead worker stays in cluster.workers until its channel has closed. */
function liveWorkers(): Worker[] {
  const workers = Object.values(cluster.workers ?? {}) as Worker[];
  return workers.filter((worker) => !worker.isDead());
}
