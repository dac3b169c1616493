import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { log } from '../log/log.js';
import { isDatabaseUnavailable, isNotYetConnected } from './database-errors.js';

export interface BackgroundJob {
  running?: Promise<void>;
  timer?: NodeJS.Timeout;
  /** One round; a second call meanwhile waits for the same round. */
  run(): Promise<void>;
}

/** Work that every instance repeats. Conditional statements give each row to one of them. */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly starts: Array<() => void> = [];
  private readonly jobs: BackgroundJob[] = [];
  private readonly stopping = new AbortController();

  constructor(private readonly dataSource: DataSource) {}

  /** From the start of the service on. A stopping service waits for the round, which should end at the signal. */
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
    this.jobs.push(job);
    this.starts.push(() => {
      job.timer = setInterval(() => void job.run(), intervalMs).unref();
      void job.run();
    });
    return job;
  }

  /** A failure is logged and does not prevent the next step. */
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
    for (const start of this.starts) start();
  }

  /** Before other services write what they still hold: a round may add to it. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { timer } of this.jobs) clearInterval(timer);
    for (const { running } of this.jobs) await running;
  }
}
