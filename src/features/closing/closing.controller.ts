import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import {
  ApiSuccess,
  ERRORS_EXTENSION,
} from '../../platform/http/response/api-success.decorator.js';
import { sendAttachment } from '../../platform/http/response/attachment.js';
import { EmptyView } from '../sessions/session.view.js';
import { CloseAccountDto } from './closing.dto.js';
import { ClosingService } from './closing.service.js';
import { ClosingView } from './closing.view.js';
import { ExportService } from './export.service.js';

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
    'The account is closed then; all other sessions have ended, and a mail tells how to keep it',
    'closing_disabled',
    'sign_in_again',
    'bad_credentials',
    'login_throttled',
    'account_busy',
  )
  close(
    @CurrentPlayer() me: PlayerIdentity,
    @Body() { password }: CloseAccountDto,
    @CurrentContext() context: RequestContext,
  ): Promise<ClosingView> {
    return this.closing.close(me, password, context);
  }

  @Post('keep')
  @ApiSuccess(EmptyView, 'The closing is cancelled')
  keep(@CurrentPlayer() me: PlayerIdentity): Promise<void> {
    return this.closing.keep(me);
  }

  @Get('export')
  @ApiProduces('application/json')
  @ApiResponse({
    status: 200,
    description: 'A file with everything about the account, once a day',
    schema: { type: 'object' },
  })
  @ApiExtension(ERRORS_EXTENSION, ['sign_in_again', 'too_many_requests'])
  async export(@CurrentPlayer() me: PlayerIdentity, @Res() response: Response): Promise<void> {
    return sendAttachment(response, 'gatehouse', 'json', await this.exports.open(me));
  }
}
