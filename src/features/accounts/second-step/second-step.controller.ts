import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordSignIn } from '../../../platform/audit/record-sign-in.interceptor.js';
import { Public } from '../../../platform/auth/public.decorator.js';
import { Priority } from '../../../platform/http/limits/priority.decorator.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { CurrentContext } from '../../../platform/http/request/request-context.decorator.js';
import { ApiSuccess } from '../../../platform/http/response/api-success.decorator.js';
import { SessionCookieInterceptor } from '../../sessions/session-cookie.interceptor.js';
import { SecondStepDto, toProof } from './second-step.dto.js';
import { SecondStepService } from './second-step.service.js';
import { SecondStepView } from './second-step.view.js';

@ApiTags('Accounts')
@Public()
@Controller('login/second')
export class SecondStepController {
  constructor(private readonly secondSteps: SecondStepService) {}

  @Post()
  @Priority('begun')
  @RecordSignIn('second')
  @UseInterceptors(SessionCookieInterceptor)
  @ApiSuccess(
    SecondStepView,
    'Signed in, as by the call that gave the ticket',
    'second_factor_invalid',
    'login_throttled',
    'account_disabled',
    'ticket_invalid',
    'connect_id_taken',
    'account_linked',
    'service_unavailable',
  )
  signIn(@Body() dto: SecondStepDto, @CurrentContext() context: RequestContext) {
    return this.secondSteps.signIn(dto.ticket, toProof(dto), context);
  }
}
