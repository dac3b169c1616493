import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { buildInfo } from '../config/build-info.js';
import { Settings } from '../config/settings.js';
import { RedisConnection } from '../counters/redis-connection.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import { Unthrottled } from '../http/limits/rate-limit.guard.js';
import { Priority } from '../http/limits/route-priorities.js';
import { AddressList } from '../http/request/address.js';
import { CurrentContext, type RequestContext } from '../http/request/request-context.js';
import { GracefulShutdown } from '../http/server/graceful-shutdown.js';
import { ApiSuccess } from '../openapi/api-response.js';
import { HealthChecks } from './health-checks.js';

class LiveView {
  @ApiProperty({ enum: ['live'] }) status: 'live';
}

class ReadyView {
  @ApiProperty({ enum: ['ready'] }) status: 'ready';
  @ApiProperty({ enum: ['up'] }) database: 'up';
  @ApiProperty({
    enum: ['up', 'down', 'off'],
    description: 'down: counters are kept in memory until Redis is back; off: REDIS_URL is not set',
  })
  redis: 'up' | 'down' | 'off';
  @ApiProperty({
    enum: ['present', 'missing'],
    description: 'missing: the file cannot be read, and /api/misc/agree responds with 503',
  })
  agreement: 'present' | 'missing';
  @ApiProperty({
    enum: ['ok', 'refused'],
    description: 'refused: the file has a mistake, and the last good settings stay in force',
  })
  settings: 'ok' | 'refused';
  @ApiProperty({
    enum: ['ok', 'fallback'],
    description: 'fallback: a mail template is missing or broken, and the shipped one is sent',
  })
  mail_templates: 'ok' | 'fallback';
  @ApiProperty({ required: false, example: '1.0.0', description: 'only for `metrics_ips`' })
  version?: string;
  @ApiProperty({
    required: false,
    example: 'abc1234',
    description: 'only for `metrics_ips`, and only if the build knew it',
  })
  commit?: string;
}

@ApiTags('Operations')
@Public()
@Unthrottled()
@Priority('cheap')
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthChecks,
    private readonly redis: RedisConnection,
    private readonly settings: Settings,
    private readonly shutdown: GracefulShutdown,
  ) {}

  @Get('live')
  @ApiSuccess(LiveView, 'The process responds')
  live(): LiveView {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiSuccess(ReadyView, 'Requests can be served', 'service_unavailable')
  async ready(@CurrentContext() { address }: RequestContext): Promise<ReadyView> {
    const passed = await this.checks.run();
    if (this.shutdown.isStopping || !passed.database) throw new ServiceUnavailable();
    const ready: ReadyView = {
      status: 'ready',
      database: 'up',
      redis: this.redis.state,
      agreement: passed.agreement ? 'present' : 'missing',
      settings: this.settings.problems.length > 0 ? 'refused' : 'ok',
      mail_templates: passed.mail_templates ? 'ok' : 'fallback',
    };
    // Only operators may see the version, because it reveals which known vulnerabilities to try.
    const isOperator = AddressList.of(this.settings.current.metrics_ips).has(address);
    return isOperator ? Object.assign(ready, buildInfo) : ready;
  }
}
