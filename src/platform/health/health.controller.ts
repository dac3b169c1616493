import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator.js';
import { Settings } from '../config/settings.js';
import { buildInfo } from '../config/build-info.js';
import { RedisConnection } from '../counters/redis-connection.js';
import { AccountDatabase } from '../database/account-database.js';
import { ApiSuccess } from '../http/response/api-success.decorator.js';
import { GracefulShutdown } from '../http/server/graceful-shutdown.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import { Priority } from '../http/limits/priority.decorator.js';
import { Unthrottled } from '../http/limits/rate-limit.guard.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { HealthChecks } from './health-checks.js';
import { LiveView, ReadyView } from './health.view.js';

@ApiTags('Operations')
@Public()
@Unthrottled()
@Priority('cheap')
@Controller('health')
export class HealthController {
  constructor(
    database: AccountDatabase,
    mailTemplates: MailTemplates,
    private readonly checks: HealthChecks,
    private readonly redis: RedisConnection,
    private readonly settings: Settings,
    private readonly shutdown: GracefulShutdown,
  ) {
    checks.add('database', () => database.isUp());
    checks.add('mail_templates', () => mailTemplates.areValid());
  }

  @Get('live')
  @ApiSuccess(LiveView, 'The process answers')
  live(): LiveView {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiSuccess(ReadyView, 'Requests can be served', 'service_unavailable')
  async ready(): Promise<ReadyView> {
    const [isUp, agreementIsPresent, templatesAreValid] = await Promise.all([
      this.checks.passes('database'),
      this.checks.passes('agreement'),
      this.checks.passes('mail_templates'),
    ]);
    if (this.shutdown.isStopping || !isUp) throw new ServiceUnavailable();
    return {
      status: 'ready',
      database: 'up',
      redis: this.redis.state,
      agreement: agreementIsPresent ? 'present' : 'missing',
      settings: this.settings.problems.length > 0 ? 'refused' : 'ok',
      mail_templates: templatesAreValid ? 'ok' : 'fallback',
      ...buildInfo,
    };
  }
}
