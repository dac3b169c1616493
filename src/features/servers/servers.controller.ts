import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/auth/auth.decorators.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { sendPreparedResponse } from '../../platform/http/response/prepared-response.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { ServerListView } from './server.view.js';
import { ServersService } from './servers.service.js';

@ApiTags('Game')
@Controller('server')
export class ServersController {
  constructor(private readonly servers: ServersService) {}

  @Public()
  @Get('list')
  @Priority('cheap')
  @ApiSuccess(
    ServerListView,
    'The servers, in the order in which to show them',
    'service_unavailable',
  )
  @ApiResponse({ status: 304, description: 'The client already has this version (If-None-Match)' })
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const answer = await this.servers.preparedList();
    response.setHeader('Cache-Control', 'no-cache');
    // `type('json')` would look up the type and charset for each response.
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    sendPreparedResponse(request, response, answer);
  }
}
