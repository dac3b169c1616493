import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { log } from '../log/log.js';
import { isDatabaseUnavailable, isNotYetConnected } from './database-errors.js';

export interface BackgroundJob {
  running?: Promise<void>;
  timer?: NodeJS.Timeout;
  /** Runs the job once, or waits for the run in progress. */
  run(): Promise<void>;
}

/** Runs periodic jobs on every instance. Conditional updates ensure that only one instance processes a row. */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobs: Array<{ job: BackgroundJob; intervalMs: number }> = [];
  private readonly stopping = new AbortController();

  constructor(private readonly dataSource: DataSource) {}

  /** Runs a job at startup and at each interval. Shutdown aborts the signal and waits for the current run. */
  every(
    intervalMs: number,
    what: string,
    round: (stop: AbortSignal) => Promise<void>,
  ): BackgroundJob {
    const job: BackgroundJob = {
      run: () => {
        job.running ??= this.attempt(what, () => round(this.stopping.signal)).finally(
          () => (job.running = undefined),
        );
        return job.running;
      },
    };
    this.jobs.push({ job, intervalMs });
    return job;
  }

  /** Logs a failure instead of throwing it, so that the caller continues with its next step. */
  async attempt(what: string, step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const { message } = error as Error;
      if (isNotYetConnected(error, this.dataSource)) log.debug(`cannot ${what} yet: ${message}`);
      else if (isDatabaseUnavailable(error)) log.warn(`cannot ${what} yet: ${message}`);
      else log.error({ err: error }, `cannot ${what}`);
    }
  }

  onApplicationBootstrap(): void {
    for (const { job, intervalMs } of this.jobs) {
      job.timer = setInterval(() => void job.run(), intervalMs).unref();
      void job.run();
    }
  }

  /** Stops the jobs before other services flush their queues, because a job may add to those queues. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { job } of this.jobs) clearInterval(job.timer);
    for (const { job } of this.jobs) await job.running;
  }
}
