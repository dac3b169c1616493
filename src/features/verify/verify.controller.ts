import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/public.decorator.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { CodeSentView } from './code-sent.view.js';
import { SendCodeDto } from './send-code.dto.js';
import { VerifyService } from './verify.service.js';

@ApiTags('Accounts')
@Controller()
export class VerifyController {
  constructor(private readonly verify: VerifyService) {}

  @Public()
  @Post('send_code')
  @Priority('other', { waitsOutside: true })
  @ApiSuccess(
    CodeSentView,
    'The mail server has accepted a code for this mailbox',
    'code_throttled',
    'mail_unavailable',
    'service_unavailable',
  )
  send(
    @Body() { email }: SendCodeDto,
    @CurrentContext() { address }: RequestContext,
  ): Promise<CodeSentView> {
    return this.verify.send(email, address);
  }
}
