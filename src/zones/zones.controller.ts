import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../auth/public.decorator.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import { sendPrepared } from '../http/answer/prepared-answer.js';
import { ZonesService } from './zones.service.js';
import { ZoneListView } from './zone.view.js';

@ApiTags('Game')
@Controller('server')
export class ZonesController {
  constructor(private readonly zones: ZonesService) {}

  @Public()
  @Get('list')
  @ApiAnswer(ZoneListView, 'The zones, in the order to show them', 'service_unavailable')
  @ApiResponse({ status: 304, description: 'It is the one named in If-None-Match' })
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const answer = await this.zones.preparedList();
    sendPrepared(request, response.set('Cache-Control', 'no-cache').type('json'), answer);
  }
}
