import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource, In } from 'typeorm';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { currentTime } from '../database/database-clock.js';
import { Metrics } from '../metrics/metrics.js';
import { eventEndpointProblem } from './event-delivery.service.js';
import { UNKNOWN_ENDPOINT } from './event-outbox.js';
import { EventQueue, OutboxEvent } from './event.entity.js';

const SECOND_MS = 1000;

export interface EndpointBacklog {
  endpoint: string;
  waiting: number;
  /** This is null if nothing waits. */
  oldest: Date | null;
  dead: number;
  /** Says why nothing is sent to the endpoint. */
  problem: string | null;
  /** This is true if the settings no longer name the endpoint. Its events wait until they expire, which needs no alert. */
  isRemoved: boolean;
}

interface Group {
  endpoint: string;
  status: 'waiting' | 'dead';
  events: string;
  oldestId: string;
}

/** Counts the events that endpoints have not accepted, for the metrics and for operators. */
@Injectable()
export class EventBacklog {
  private reading?: Promise<EndpointBacklog[]>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.registerGauges(metrics);
  }

  /** Returns the endpoints in the settings, and removed ones that still have events. */
  async find(): Promise<EndpointBacklog[]> {
    const { events } = this.settings.current;
    const { manager } = this.dataSource;
    const groups = await manager
      .createQueryBuilder(OutboxEvent, 'e')
      .select('e.endpoint', 'endpoint')
      .addSelect('e.status', 'status')
      .addSelect('COUNT(*)', 'events')
      .addSelect('MIN(e.id)', 'oldestId')
      .where({ status: In(['waiting', 'dead']) })
      .groupBy('e.status')
      .addGroupBy('e.endpoint')
      .getRawMany<Group>();
    if (events.length === 0 && groups.length === 0) return [];
    const names = new Set(
      [...events, ...groups.map((one) => ({ name: one.endpoint }))].map(({ name }) => name),
    );
    const oldest = await manager.find(OutboxEvent, {
      select: { id: true, createdAt: true },
      where: { id: In(groups.map(({ oldestId }) => oldestId)) },
    });
    const off = await manager.findBy(EventQueue, { endpoint: In([...names]), playerId: 0 });
    return [...names].map((endpoint) => {
      const of = (status: string) =>
        groups.find((one) => one.endpoint === endpoint && one.status === status);
      const waiting = of('waiting');
      const first = oldest.find(({ id }) => Number(id) === Number(waiting?.oldestId));
      const switchedOffBy = off.find((one) => one.endpoint === endpoint)?.switchedOffBy;
      return {
        endpoint,
        waiting: Number(waiting?.events ?? 0),
        oldest: first?.createdAt ?? null,
        dead: Number(of('dead')?.events ?? 0),
        problem: this.problemOf(endpoint, switchedOffBy) ?? null,
        isRemoved: endpoint !== UNKNOWN_ENDPOINT && !events.some(({ name }) => name === endpoint),
      };
    });
  }

  private problemOf(name: string, switchedOffBy?: string | null): string | undefined {
    const settings = this.settings.current;
    if (name === UNKNOWN_ENDPOINT) return undefined;
    const endpoint = settings.events.find((one) => one.name === name);
    if (!endpoint) return 'the setting `events` no longer contains it';
    if (switchedOffBy === this.settings.digest)
      return 'it answered 410, so it gets nothing until the settings file changes';
    return eventEndpointProblem(endpoint, this.environment, settings);
  }

  private registerGauges({ registry }: Metrics): void {
    const gauge = (name: string, help: string, valueOf: (one: EndpointBacklog) => number) => {
      const read = () => this.readForScrape();
      new Gauge({
        name,
        help,
        labelNames: ['endpoint'],
        registers: [registry],
        async collect() {
          // If the database is down, the last values remain.
          const backlog = await read().catch(() => undefined);
          if (!backlog) return;
          this.reset();
          for (const one of backlog)
            if (!one.isRemoved) this.set({ endpoint: one.endpoint }, valueOf(one));
        },
      });
    };
    gauge('gatehouse_events_waiting', 'Events that wait for an endpoint', ({ waiting }) => waiting);
    gauge(
      'gatehouse_events_waiting_oldest_seconds',
      'Age of the oldest event that waits for an endpoint',
      ({ oldest }) => (oldest ? Math.max(0, (currentTime() - oldest.getTime()) / SECOND_MS) : 0),
    );
    gauge(
      'gatehouse_events_dead',
      'Events abandoned because no attempt was accepted',
      ({ dead }) => dead,
    );
  }

  /** Reads the backlog once for all gauges of a scrape. */
  private readForScrape(): Promise<EndpointBacklog[]> {
    this.reading ??= this.find().finally(() => (this.reading = undefined));
    return this.reading;
  }
}
