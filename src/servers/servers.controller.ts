import { Controller, Get, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/public.js';
import { ApiAnswer } from '../http/api-answer.js';
import { ServersService } from './servers.service.js';
import { ZoneListView } from './zone-view.js';

@ApiTags('Game')
@Controller('server')
export class ServersController {
  constructor(private readonly servers: ServersService) {}

  @Public()
  @Get('list')
  @ApiAnswer(ZoneListView, 'The zones, in the order to show them', 'service_unavailable')
  @ApiResponse({ status: 304, description: 'It is the one named in If-None-Match' })
  async list(@Res() response: Response): Promise<void> {
    const { bytes, etag } = await this.servers.preparedList();
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).type('json').send(bytes);
  }
}
