import { Controller, Get, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CallerNotAllowed } from '../auth/auth.errors.js';
import { Public } from '../auth/public.decorator.js';
import { Settings } from '../config/settings.js';
import { Priority } from '../http/limits/priority.decorator.js';
import { Unthrottled } from '../http/limits/rate-limit.guard.js';
import { AddressList } from '../http/request/address.js';
import { ERRORS_EXTENSION } from '../http/response/api-success.decorator.js';
import { Metrics } from '../metrics/metrics.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

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
