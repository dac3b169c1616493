import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/auth/auth.decorators.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { sendPreparedResponse } from '../../platform/http/response/prepared-response.js';
import { ERRORS_EXTENSION } from '../../platform/openapi/api-response.js';
import { AgreementService } from './agreement.service.js';

@ApiTags('Game')
@Controller('misc')
export class AgreementController {
  constructor(private readonly agreement: AgreementService) {}

  @Public()
  @Get('agree')
  @Priority('cheap')
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'The user agreement', schema: { type: 'string' } })
  @ApiResponse({ status: 304, description: 'The client already has this version (If-None-Match)' })
  @ApiExtension(ERRORS_EXTENSION, ['service_unavailable'])
  async agree(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { answer, policy } = await this.agreement.current();
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy }).type('html');
    sendPreparedResponse(request, response, answer);
  }
}
