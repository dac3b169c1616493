import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { CallerNotAllowed } from '../auth/auth.errors.js';
import { Public } from '../auth/public.decorator.js';
import { collectMetrics } from '../cluster/metrics-of-all-workers.js';
import { Settings } from '../config/settings.js';
import { AddressList } from '../http/request/address.js';
import { ERRORS_EXTENSION } from '../http/answer/api-answer.decorator.js';
import { Metrics } from '../metrics/metrics.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  @Public()
  @SkipThrottle()
  @Get()
  @ApiProduces('text/plain')
  @ApiExtension(ERRORS_EXTENSION, ['caller_not_allowed'])
  @ApiResponse({ status: 200, description: 'Prometheus text format', schema: { type: 'string' } })
  async collect(@Req() request: Request, @Res() response: Response): Promise<void> {
    const allowed = AddressList.of(this.settings.current.metrics_ips);
    if (!allowed.has(request.context.address)) throw new CallerNotAllowed();
    const text = await collectMetrics(this.metrics.registry);
    response.set('Cache-Control', 'no-store').type(this.metrics.registry.contentType).send(text);
  }
}
