import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.js';
import { ApiAnswer } from '../http/api-answer.js';
import { EmailField } from '../http/email-field.js';
import { CurrentVisit, type Visit } from '../http/visit.js';
import { CodeSentView } from './code-sent-view.js';
import { VerifyService } from './verify.service.js';

class SendCodeDto {
  @EmailField() email: string;
}

@ApiTags('Accounts')
@Controller()
export class VerifyController {
  constructor(private readonly verify: VerifyService) {}

  @Public()
  @Post('send_code')
  @ApiAnswer(
    CodeSentView,
    'The mail server has accepted a code for this mailbox',
    'code_throttled',
    'mail_unavailable',
    'service_unavailable',
  )
  send(@Body() { email }: SendCodeDto, @CurrentVisit() { address }: Visit): Promise<CodeSentView> {
    return this.verify.send(email, address);
  }
}
