import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Settings } from '../config/settings.js';
import { droppedLogLines } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';

/** Metrics of lower layers that do not know the registry. */
@Injectable()
export class ProcessMetrics {
  constructor(settings: Settings, { registry }: Metrics) {
    new Gauge({
      name: 'gatehouse_settings_refused',
      help: '1: the settings file has a mistake and the last good settings are in force',
      registers: [registry],
      collect() {
        this.set(Number(settings.problems.length > 0));
      },
    });
    new Gauge({
      name: 'gatehouse_log_lines_dropped',
      help: 'Log lines dropped since the start because stdout was blocked or its disk full',
      registers: [registry],
      collect() {
        this.set(droppedLogLines());
      },
    });
  }
}
