import { Global, Injectable, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { buildInfo } from '../config/build-info.js';

/** Collects the metrics of this process. Each feature registers its own, whose names start with `gatehouse_`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'gatehouse_build_info',
      help: 'Always 1; the labels name the running version',
      labelNames: ['version', 'commit', 'node'],
      registers: [this.registry],
    }).set(
      { version: buildInfo.version, commit: buildInfo.commit ?? '', node: process.versions.node },
      1,
    );
  }

  /** Registers a counter that starts at 0 for each label value, so that the first event shows as an increase. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    [label, values]: [label?: Label, values?: readonly string[]] = [],
  ): Counter<Label> {
    const labelNames = label === undefined ? [] : [label];
    const counter = new Counter<string>({ name, help, labelNames, registers: [this.registry] });
    for (const value of values ?? []) counter.inc({ [label!]: value }, 0);
    return counter;
  }

  /** Registers a gauge that is read at each scrape. If the function returns undefined, the last value remains. */
  gauge(
    name: string,
    help: string,
    read: () => number | undefined | Promise<number | undefined>,
  ): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await read();
        if (value !== undefined) this.set(value);
      },
    });
  }

  /** Registers a gauge with one value per label value, which is read at each scrape. */
  gauges(name: string, help: string, label: string, read: () => Record<string, number>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number);
      },
    });
  }
}

@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
