import { Controller, Get, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/auth.decorators.js';
import { CallerNotAllowed } from '../auth/auth.errors.js';
import { Settings } from '../config/settings.js';
import { Unthrottled } from '../http/limits/rate-limit.guard.js';
import { Priority } from '../http/limits/route-priorities.js';
import { AddressList } from '../http/request/address.js';
import { droppedLogLines } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { ERRORS_EXTENSION } from '../openapi/api-response.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {
    // The configuration and the log cannot register these metrics, because they have no access to the registry.
    metrics.gauge(
      'gatehouse_settings_refused',
      '1 if the settings file has a mistake, and the last good settings stay in force',
      () => Number(settings.problems.length > 0),
    );
    metrics.gauge(
      'gatehouse_log_lines_dropped',
      'Log lines dropped since the start because stdout was blocked or its disk full',
      droppedLogLines,
    );
  }

  @Public()
  @Unthrottled()
  @Get()
  @Priority('cheap')
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'Prometheus text format', schema: { type: 'string' } })
  @ApiExtension(ERRORS_EXTENSION, ['caller_not_allowed'])
  async collect(@Res() response: Response): Promise<void> {
    const { address } = response.req.context;
    if (!AddressList.of(this.settings.current.metrics_ips).has(address))
      throw new CallerNotAllowed();
    const text = await this.metrics.registry.metrics();
    response.set('Cache-Control', 'no-store').type(this.metrics.registry.contentType).send(text);
  }
}
