import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { DataSource, IsNull } from 'typeorm';
import { Environment } from '../config/environment.js';
import type { EventEndpoint } from '../config/event-settings.js';
import { Settings } from '../config/settings.js';
import type { SettingsValues } from '../config/settings.schema.js';
import { DAY_MS, HOUR_MS } from '../config/time.js';
import { type BackgroundJob, BackgroundJobs } from '../database/background-jobs.js';
import { currentTime } from '../database/database-clock.js';
import { runStatement, selectRows, sqlTime, toTime } from '../database/sql.js';
import { inTransaction } from '../database/transaction.js';
import { endpointProblem } from '../http/request/endpoint-problem.js';
import { GracefulShutdown } from '../http/server/graceful-shutdown.js';
import { Metrics } from '../metrics/metrics.js';
import { EventOutbox, UNKNOWN_ENDPOINT } from './event-outbox.js';
import { REQUEST_TIMEOUT_MS, sendEvent } from './event-request.js';
import { EventQueue, OutboxEvent } from './event.entity.js';

const INTERVAL_MS = 1000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** After the last of these pauses, one more failure makes an event dead. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
/** A lease is much longer than a request, so that another instance repeats a delivery only if this one dies. */
export const LEASE_MS = MINUTE_MS;
const DELIVERED_MS = 7 * DAY_MS;
/** Limits how many requests an instance sends to one endpoint concurrently. */
const WORKERS = 10;
/** Limits how many connections the deliveries use, because players need the others. */
const STATEMENTS = 2;
const BATCH = 50;
const GONE = 410;
/** No player has this id. Its row in the queue says that the endpoint is switched off. */
const ENDPOINT_ITSELF = 0;

interface DueRow {
  playerId: number;
  dueAt: string;
  version: number;
}

/** Holds the due rows of one endpoint, and this instance's workers that process them. */
interface EndpointQueue {
  name: string;
  due: DueRow[];
  reading?: Promise<void>;
  workers: Set<Promise<void>>;
}

/** Returns why nothing can be sent to an endpoint in the settings. */
export function eventEndpointProblem(
  { name, url }: EventEndpoint,
  environment: Environment,
  settings: SettingsValues,
): string | undefined {
  if (!environment.eventSecrets.has(name)) return `EVENT_SECRETS has no secret for ${name}`;
  const { hostname: host, port, pathname: path, protocol } = new URL(url);
  const target = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80), path };
  return endpointProblem(target, environment, settings);
}

/**
 * Delivers the events of the outbox. Each endpoint has its own workers, which take one player after another and send
 * the player's first waiting event. A conditional update of the queue's row leases it to one instance.
 */
@Injectable()
export class EventDelivery implements OnModuleDestroy {
  readonly job: BackgroundJob;
  private readonly logger = new Logger(EventDelivery.name);
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly problems = new Map<string, string>();
  private readonly statements = pLimit(STATEMENTS);
  private readonly outcomes: Counter<'endpoint' | 'outcome'>;
  private isDestroyed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: EventOutbox,
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly gracefulStop: GracefulShutdown,
    { registry }: Metrics,
  ) {
    this.outcomes = new Counter({
      name: 'gatehouse_event_deliveries_total',
      help: 'Deliveries of events by endpoint: delivered, failed (tried again later) or dead (given up)',
      labelNames: ['endpoint', 'outcome'],
      registers: [registry],
    });
    this.job = jobs.every(INTERVAL_MS, 'deliver events', () => this.start());
  }

  /**
   * Waits for the requests in flight, because an aborted one would be repeated. An endpoint that hangs must not use up
   * the time in which the outcomes of withdrawals are written.
   */
  async onModuleDestroy(): Promise<void> {
    this.isDestroyed = true;
    await this.job.running;
    const workers = [...this.queues.values()].flatMap((queue) => [...queue.workers]);
    const timeUp = wait(this.gracefulStop.timeLeft, undefined, { ref: false });
    await Promise.race([Promise.all(workers), timeUp]);
  }

  private get isStopping(): boolean {
    return this.isDestroyed || this.gracefulStop.isStopping;
  }

  /** Starts workers for every endpoint with due events, and does not wait for them. */
  private async start(): Promise<void> {
    const { events } = this.settings.current;
    await this.jobs.attempt('deliver events of commands', () => this.assignEndpoints());
    for (const { name } of events) {
      for (const outcome of ['delivered', 'failed', 'dead'])
        this.outcomes.inc({ endpoint: name, outcome }, 0);
      await this.jobs.attempt(`deliver events to ${name}`, () => this.startWorkers(name));
    }
  }

  private async startWorkers(name: string): Promise<void> {
    let queue = this.queues.get(name);
    if (!queue) this.queues.set(name, (queue = { name, due: [], workers: new Set() }));
    const { due, workers } = queue;
    await this.readDue(queue);
    if (this.isStopping) return;
    const added = Math.min(WORKERS - workers.size, due.length);
    for (let n = 0; n < added; n++) {
      const worker: Promise<void> = this.jobs
        .attempt(`deliver events to ${name}`, () => this.work(queue))
        .finally(() => workers.delete(worker));
      workers.add(worker);
    }
  }

  private async work(queue: EndpointQueue): Promise<void> {
    while (!this.isStopping) {
      if (queue.due.length === 0) await this.readDue(queue);
      const row = queue.due.shift();
      const endpoint = this.findUsable(queue.name);
      if (!row || !endpoint) return;
      await this.deliverFirst(endpoint, row);
    }
  }

  /** Returns the endpoint, or undefined if its events must wait because the settings do not allow sending to it now. */
  private findUsable(name: string): EventEndpoint | undefined {
    const settings = this.settings.current;
    const endpoint = settings.events.find((one) => one.name === name);
    const problem = endpoint && eventEndpointProblem(endpoint, this.environment, settings);
    if (problem && this.problems.get(name) !== problem)
      this.logger.error(`the events for ${name} wait: ${problem}`);
    if (problem) this.problems.set(name, problem);
    else this.problems.delete(name);
    return problem ? undefined : endpoint;
  }

  /** Fills `queue.due` with the players whose events are due, unless the endpoint is switched off. */
  private readDue(queue: EndpointQueue): Promise<void> {
    if (queue.due.length > 0 || !this.findUsable(queue.name)) return Promise.resolve();
    queue.reading ??= this.findDue(queue.name)
      .then((rows) => void (queue.due = rows))
      .finally(() => (queue.reading = undefined));
    return queue.reading;
  }

  private async findDue(endpoint: string): Promise<DueRow[]> {
    const rows = await this.select<{
      playerId: number;
      dueAt: unknown;
      version: number;
      switchedOffBy: string | null;
    }>(
      `SELECT player_id AS playerId, due_at AS dueAt, version, switched_off_by AS switchedOffBy
       FROM event_queue WHERE endpoint = ? AND due_at <= ? ORDER BY due_at LIMIT ${BATCH}`,
      [endpoint, sqlTime(currentTime())],
    );
    const off = rows.find(({ playerId }) => playerId === ENDPOINT_ITSELF);
    if (off?.switchedOffBy === this.settings.digest) return [];
    if (off) await this.switchOn(endpoint, off.switchedOffBy);
    const due = rows
      .filter((row) => row !== off)
      .map(({ playerId, dueAt, version }) => {
        return { playerId, dueAt: sqlTime(toTime(dueAt)!), version };
      });
    // Each instance starts at a random row, so that instances rarely compete for one.
    const start = Math.floor(Math.random() * due.length);
    return [...due.slice(start), ...due.slice(0, start)];
  }

  private async deliverFirst(endpoint: EventEndpoint, row: DueRow): Promise<void> {
    const { name, url } = endpoint;
    const { playerId, version } = row;
    const leaseEnds = currentTime() + LEASE_MS;
    const lease = sqlTime(leaseEnds);
    if (!(await this.moveDue(name, playerId, row.dueAt, lease))) return;
    const [event, next] = await this.select<
      Pick<OutboxEvent, 'id' | 'webhookId' | 'body' | 'tries'>
    >(
      `SELECT id, webhook_id AS webhookId, body, tries FROM event_outbox
       WHERE player_id = ? AND endpoint = ? AND status = 'waiting' ORDER BY id LIMIT 2`,
      [playerId, name],
    );
    if (!event) return this.advance(name, { playerId, version, dueAt: lease }, false);
    // If a slow database has used up the lease, another instance could send the same event during the request.
    if (currentTime() + REQUEST_TIMEOUT_MS > leaseEnds) return;
    const secrets = this.environment.eventSecrets.get(name)!;
    const { status, failure } = await sendEvent(url, secrets, event);
    if (status === GONE) {
      await this.switchOff(name);
      await this.recordTry(event, { status: 'waiting', tries: event.tries, failure });
      return this.advance(name, { playerId, version, dueAt: lease }, true);
    }
    if (failure === undefined) {
      await this.recordTry(event, { status: 'delivered', tries: event.tries });
      this.outcomes.inc({ endpoint: name, outcome: 'delivered' });
      return this.advance(name, { playerId, version, dueAt: lease }, next !== undefined);
    }
    const pause = PAUSES_MS[event.tries];
    const isDead = pause === undefined;
    await this.recordTry(event, {
      status: isDead ? 'dead' : 'waiting',
      tries: event.tries + 1,
      failure,
    });
    this.outcomes.inc({ endpoint: name, outcome: isDead ? 'dead' : 'failed' });
    if (!isDead) {
      await this.moveDue(name, playerId, lease, sqlTime(currentTime() + pause));
      return;
    }
    this.logger.error(
      `event ${event.id} of player ${playerId} is dead, ${name} did not take it: ${failure}; repair the endpoint, then run \`gatehouse events resend\``,
    );
    return this.advance(name, { playerId, version, dueAt: lease }, next !== undefined);
  }

  private async recordTry(
    { id }: Pick<OutboxEvent, 'id'>,
    {
      status,
      tries,
      failure = null,
    }: Pick<OutboxEvent, 'status' | 'tries'> & { failure?: string | null },
  ): Promise<void> {
    const now = currentTime();
    const expires = status === 'delivered' ? ', expires_at = ?' : '';
    const expiresAt = status === 'delivered' ? [sqlTime(now + DELIVERED_MS)] : [];
    await this.run(
      `UPDATE event_outbox SET status = ?, tries = ?, failure = ?, tried_at = ?${expires}
       WHERE id = ? AND status = 'waiting'`,
      [status, tries, failure, sqlTime(now), ...expiresAt, id],
    );
  }

  /** Makes the player's next event due, or deletes the queue's row unless a new event has been added meanwhile. */
  private async advance(
    endpoint: string,
    { playerId, version, dueAt }: DueRow,
    hasNext: boolean,
  ): Promise<void> {
    const isDone =
      !hasNext &&
      (await this.run(
        'DELETE FROM event_queue WHERE endpoint = ? AND player_id = ? AND version = ?',
        [endpoint, playerId, version],
      ));
    if (!isDone) await this.moveDue(endpoint, playerId, dueAt, sqlTime(currentTime()));
  }

  /** Returns false if another instance or worker changed the time first. */
  private async moveDue(
    endpoint: string,
    playerId: number,
    from: string,
    to: string,
  ): Promise<boolean> {
    return this.run(
      'UPDATE event_queue SET due_at = ? WHERE endpoint = ? AND player_id = ? AND due_at = ?',
      [to, endpoint, playerId, from],
    );
  }

  private async switchOff(endpoint: string): Promise<void> {
    const { digest } = this.settings;
    const row = { endpoint, playerId: ENDPOINT_ITSELF, dueAt: new Date(0), switchedOffBy: digest };
    const key = ['endpoint', 'playerId'];
    await this.statements(() => this.dataSource.getRepository(EventQueue).upsert(row, key));
    this.queues.get(endpoint)!.due = [];
    this.logger.error(
      `${endpoint} answered 410 and gets no more events until the settings file changes`,
    );
  }

  private async switchOn(endpoint: string, by: string | null): Promise<void> {
    const row = { endpoint, playerId: ENDPOINT_ITSELF, switchedOffBy: by ?? IsNull() };
    await this.statements(() => this.dataSource.getRepository(EventQueue).delete(row));
    this.logger.log(`the settings have changed: ${endpoint} gets events again`);
  }

  /** Assigns events to the endpoints if the command that wrote them did not know the endpoints. */
  private async assignEndpoints(): Promise<void> {
    const lost = await this.dataSource.manager.find(OutboxEvent, {
      where: { endpoint: UNKNOWN_ENDPOINT, status: 'waiting' },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const event of lost)
      await inTransaction(this.dataSource, async (manager) => {
        const { affected } = await manager.delete(OutboxEvent, { id: event.id });
        if (affected === 1) await this.outbox.addForAll(manager, event);
      });
  }

  private select<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.statements(() => selectRows<Row>(this.dataSource.manager, sql, values));
  }

  /** Returns whether the statement changed a row. */
  private run(sql: string, values: unknown[]): Promise<boolean> {
    return this.statements(async () => {
      return (await runStatement(this.dataSource.manager, sql, values)).affected > 0;
    });
  }
}
