import { Controller, Get, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/public.decorator.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
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
  async list(@Res() response: Response): Promise<void> {
    const { bytes, etag } = await this.zones.preparedList();
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).type('json').send(bytes);
  }
}
