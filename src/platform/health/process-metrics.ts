import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { droppedLogLines } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';

/** Metrics of lower layers that do not know the registry. */
@Injectable()
export class ProcessMetrics {
  constructor(settings: Settings, metrics: Metrics) {
    metrics.gauge(
      'gatehouse_settings_refused',
      '1: the settings file has a mistake and the last good settings are in force',
      () => Number(settings.problems.length > 0),
    );
    metrics.gauge(
      'gatehouse_log_lines_dropped',
      'Log lines dropped since the start because stdout was blocked or its disk full',
      droppedLogLines,
    );
  }
}
