import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/auth/auth.decorators.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { EmailField, oneOf, TextField } from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { CHALLENGE_VALID_SECONDS, ChallengeService } from './challenge.service.js';
import { CODE_VALID_SECONDS } from './code-store.js';
import { CODE_PURPOSES, type CodePurpose } from './code-mail.js';
import { VerifyService } from './verify.service.js';

class SendCodeDto {
  @EmailField() email: string;

  @TextField({
    ...oneOf(CODE_PURPOSES),
    optional: true,
    description:
      'the purpose of the code, which the mail names; denied mail domains get codes only for `reset`',
  })
  purpose?: CodePurpose;

  @TextField({
    max: 1024,
    optional: true,
    description: "the solution of a challenge, as ALTCHA's payload in base64",
  })
  challenge?: string;
}

class ChallengeView {
  @ApiProperty({ enum: ['SHA-256'] }) algorithm: string;
  @ApiProperty({ description: 'hex SHA-256 of `salt` and the number to find' }) challenge: string;
  @ApiProperty() salt: string;
  @ApiProperty() signature: string;
  @ApiProperty({ type: 'integer', example: 50_000, description: 'the number is smaller than this' })
  maxnumber: number;
}

class ChallengeOfferView {
  @ApiProperty({ type: ChallengeView, description: "in ALTCHA's format, version 1" })
  challenge: ChallengeView;

  @ApiProperty({ description: 'whether `POST /api/send_code` requires a solution now' })
  required: boolean;

  @ApiProperty({ type: 'integer', example: CHALLENGE_VALID_SECONDS, description: 'seconds' })
  expires_in: number;
}

class CodeSentView {
  @ApiProperty({
    type: 'integer',
    example: CODE_VALID_SECONDS,
    description: 'seconds for which the code is valid',
  })
  expires_in: number;

  @ApiProperty({
    type: 'integer',
    example: 60,
    description: 'seconds until another code can be sent',
  })
  resend_in: number;
}

@ApiTags('Accounts')
@Controller()
export class VerifyController {
  constructor(
    private readonly verify: VerifyService,
    private readonly challenges: ChallengeService,
  ) {}

  @Public()
  @Get('challenge')
  @Priority('other')
  @ApiSuccess(
    ChallengeOfferView,
    'A challenge, whose solution is accepted once',
    'service_unavailable',
  )
  challenge(@CurrentContext() { address }: RequestContext): Promise<ChallengeOfferView> {
    return this.challenges.offer(address);
  }

  @Public()
  @Post('send_code')
  @Priority('other', { waitsOutside: true })
  @ApiSuccess(
    CodeSentView,
    'The mail server has accepted a code for this mailbox',
    'challenge_required',
    'code_throttled',
    'mail_unavailable',
    'service_unavailable',
  )
  send(
    @Body() dto: SendCodeDto,
    @CurrentContext() { address }: RequestContext,
    @Req() { headers }: Request,
  ): Promise<CodeSentView> {
    return this.verify.send(dto, address, headers['accept-language']);
  }
}
