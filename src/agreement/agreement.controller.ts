import { Controller, Get, Res } from '@nestjs/common';
import { ApiExtension, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/public.decorator.js';
import { ERRORS_EXTENSION } from '../http/answer/api-answer.decorator.js';
import { AgreementService } from './agreement.service.js';

@ApiTags('Game')
@Controller('misc')
export class AgreementController {
  constructor(private readonly agreement: AgreementService) {}

  @Public()
  @Get('agree')
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'The user agreement', schema: { type: 'string' } })
  @ApiResponse({ status: 304, description: 'It is the one named in If-None-Match' })
  @ApiExtension(ERRORS_EXTENSION, ['service_unavailable'])
  async agree(@Res() response: Response): Promise<void> {
    const { bytes, etag, policy } = await this.agreement.current();
    response
      .set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy })
      .type('html')
      .send(bytes);
  }
}
