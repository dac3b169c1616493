import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags, ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPlayer } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { RefusesHead } from '../../platform/http/request/body.guard.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { sendAttachment } from '../../platform/http/response/attachment.js';
import { TextField } from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess, ERRORS_EXTENSION } from '../../platform/openapi/api-response.js';
import { EmptyView } from '../sessions/sessions.view.js';
import { ClosingService } from './closing.service.js';
import { ExportService } from './export.service.js';

class CloseAccountDto {
  @TextField({ max: 128, optional: true, description: 'required if the account has one' })
  password?: string;
}

class ClosingView {
  @ApiProperty({ type: String, format: 'date-time' }) closing_at: string;
}

@ApiTags('Own account')
@Priority('other')
@Controller('account')
export class ClosingController {
  constructor(
    private readonly closing: ClosingService,
    private readonly exports: ExportService,
  ) {}

  @Post('close')
  @ApiSuccess(
    ClosingView,
    'The account will be closed at `closing_at`; all other sessions have ended, and a mail explains how to keep the account',
    'closing_disabled',
    'sign_in_again',
    'bad_credentials',
    'login_throttled',
    'account_busy',
  )
  async close(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { password }: CloseAccountDto,
    @CurrentContext() context: RequestContext,
  ): Promise<ClosingView> {
    const closingAt = await this.closing.close(me, password, context);
    return { closing_at: closingAt.toISOString() };
  }

  @Post('keep')
  @ApiSuccess(EmptyView, 'The closing is cancelled')
  keep(
    @CurrentPlayer() me: PlayerIdentity,
    @CurrentContext() context: RequestContext,
  ): Promise<void> {
    return this.closing.keep(me, context);
  }

  @Get('export')
  @RefusesHead()
  @ApiProduces('application/json')
  @ApiResponse({
    status: 200,
    description: "A file with the account's data, at most once a day",
    schema: { type: 'object' },
  })
  @ApiExtension(ERRORS_EXTENSION, ['sign_in_again', 'too_many_requests'])
  async export(
    @CurrentPlayer() me: PlayerIdentity,
    @CurrentContext() context: RequestContext,
    @Res() response: Response,
  ): Promise<void> {
    return sendAttachment(response, 'gatehouse', 'json', await this.exports.open(me, context));
  }
}
