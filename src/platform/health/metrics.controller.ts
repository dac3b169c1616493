import { Controller, Get, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Response } from 'express';
import { AllowedAddresses } from '../auth/allowed-addresses.decorator.js';
import { Metrics } from '../metrics/metrics.js';
import { Priority } from '../http/limits/priority.decorator.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @AllowedAddresses('metrics_ips')
  @SkipThrottle()
  @Get()
  @Priority('cheap')
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'Prometheus text format', schema: { type: 'string' } })
  async collect(@Res() response: Response): Promise<void> {
    const text = await this.metrics.registry.metrics();
    response.set('Cache-Control', 'no-store').type(this.metrics.registry.contentType).send(text);
  }
}
