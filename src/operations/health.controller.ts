import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import { Public } from '../auth/public.decorator.js';
import { Settings } from '../config/settings.js';
import { buildInfo } from '../config/build-info.js';
import { RedisConnection } from '../counters/redis-connection.js';
import { AccountDatabase } from '../database/account-database.js';
import { AgreementService } from '../agreement/agreement.service.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import { GracefulStop } from '../http/server/graceful-stop.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { LastGood } from './last-good.js';
import { LiveView, ReadyView } from './health.view.js';

@ApiTags('Operations')
@Public()
@SkipThrottle()
@Controller('health')
export class HealthController {
  private readonly database: LastGood;
  private readonly agreement: LastGood;
  private readonly mailTemplates: LastGood;

  constructor(
    database: AccountDatabase,
    agreement: AgreementService,
    mailTemplates: MailTemplates,
    private readonly redis: RedisConnection,
    private readonly settings: Settings,
    private readonly stop: GracefulStop,
  ) {
    this.database = new LastGood(() => database.isUp());
    this.agreement = new LastGood(() => agreement.isPresent());
    this.mailTemplates = new LastGood(() => mailTemplates.areValid());
  }

  @Get('live')
  @ApiAnswer(LiveView, 'The process answers')
  live(): LiveView {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiAnswer(ReadyView, 'Requests can be served', 'service_unavailable')
  async ready(): Promise<ReadyView> {
    const looks = [this.database, this.agreement, this.mailTemplates];
    const [isUp, isPresent, areValid] = await Promise.all(looks.map((each) => each.now()));
    if (this.stop.stopping || !isUp) throw new ServiceUnavailable();
    return {
      status: 'ready',
      database: 'up',
      redis: this.redis.state,
      agreement: isPresent ? 'present' : 'missing',
      settings: this.settings.problems.length > 0 ? 'refused' : 'ok',
      mail_templates: areValid ? 'ok' : 'fallback',
      ...buildInfo,
    };
  }
}
