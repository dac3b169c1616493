import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { buildInfo } from '../config/build-info.js';
import { Settings } from '../config/settings.js';
import { Unthrottled } from '../http/limits/rate-limit.guard.js';
import { Priority } from '../http/limits/route-priorities.js';
import { AddressList } from '../http/request/address.js';
import { CurrentContext, type RequestContext } from '../http/request/request-context.js';
import { ApiSuccess } from '../openapi/api-response.js';
import { HealthChecks, ReadyView } from './health-checks.js';

class LiveView {
  @ApiProperty({ enum: ['live'] }) status: 'live';
}

@ApiTags('Operations')
@Public()
@Unthrottled()
@Priority('cheap')
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthChecks,
    private readonly settings: Settings,
  ) {}

  @Get('live')
  @ApiSuccess(LiveView, 'The process answers')
  live(): LiveView {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiSuccess(ReadyView, 'Requests can be served', 'service_unavailable')
  async ready(@CurrentContext() { address }: RequestContext): Promise<ReadyView> {
    const ready = await this.checks.run();
    // Only operators may see the version, because it reveals which known weaknesses to try.
    const isOperator = AddressList.of(this.settings.current.metrics_ips).has(address);
    return isOperator ? Object.assign(ready, buildInfo) : ready;
  }
}
