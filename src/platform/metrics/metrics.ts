import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { buildInfo } from '../config/build-info.js';

/** The metrics of this process. Each feature registers its own here; names start with `gatehouse_`. */
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
}
