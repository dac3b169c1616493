import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { GameServerReport } from '../../platform/auth/game-server.guard.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { BodyLimit } from '../../platform/http/request/body.guard.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { CHAT_RECORD_SCHEMA, MAX_RECORDS } from './chat.dto.js';
import { ChatReportView, ChatService } from './chat.service.js';

const REPORT_SCHEMA = {
  oneOf: [
    CHAT_RECORD_SCHEMA,
    {
      type: 'object',
      required: ['records'],
      properties: {
        records: { type: 'array', maxItems: MAX_RECORDS, items: CHAT_RECORD_SCHEMA },
      },
    },
  ],
};

@ApiTags('Game')
@Controller('report')
export class ChatController {
  constructor(private readonly chat: ChatService) {}

  @GameServerReport()
  @Post('chat')
  @Priority('other')
  @BodyLimit(512 * 1024)
  @ApiBody({ schema: REPORT_SCHEMA })
  @ApiSuccess(
    ChatReportView,
    'The numbers of accepted and duplicate records, and the problems of rejected ones',
    'service_unavailable',
  )
  report(
    @Body() body: object,
    @CurrentContext() { address }: RequestContext,
  ): Promise<ChatReportView> {
    return this.chat.report(body, address);
  }
}
