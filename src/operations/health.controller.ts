import { Controller, Get, Header } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.js';
import { RedisConnection } from '../counters/redis-connection.js';
import { AccountDatabase } from '../database/account-database.js';
import { AgreementService } from '../game/agreement.service.js';
import { ApiAnswer } from '../http/api-answer.js';
import { GracefulStop } from '../http/graceful-stop.js';
import { ServiceUnavailable } from '../http/http.errors.js';
import { Unlimited } from '../http/unlimited.js';

class LiveView {
  @ApiProperty({ enum: ['live'] }) status: 'live';
}

class ReadyView {
  @ApiProperty({ enum: ['ready'] }) status: 'ready';
  @ApiProperty({ enum: ['up'] }) database: 'up';
  @ApiProperty({
    enum: ['up', 'down', 'off'],
    description: 'down: counters are kept in memory; off: none is set',
  })
  redis: 'up' | 'down' | 'off';
  @ApiProperty({
    enum: ['present', 'missing'],
    description: 'missing: the file cannot be read, and /api/misc/agree answers 503',
  })
  agreement: 'present' | 'missing';
}

@ApiTags('Operations')
@Public()
@Unlimited()
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
    private readonly agreement: AgreementService,
    private readonly stop: GracefulStop,
  ) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  @ApiAnswer(LiveView, 'The process answers')
  live(): LiveView {
    return { status: 'live' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiAnswer(ReadyView, 'Requests can be served', 'service_unavailable')
  async ready(): Promise<ReadyView> {
    if (this.stop.stopping || !(await this.database.isUp())) throw new ServiceUnavailable();
    return {
      status: 'ready',
      database: 'up',
      redis: this.redis.state,
      agreement: (await this.agreement.isPresent()) ? 'present' : 'missing',
    };
  }
}
