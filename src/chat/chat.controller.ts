import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import { BodyLimit } from '../http/request/body.decorator.js';
import { CHAT_RECORD_SCHEMA } from './chat-record.js';
import { ChatService, MOST_RECORDS } from './chat.service.js';
import { ChatReportView } from './chat.view.js';

const REPORT_SCHEMA = {
  oneOf: [
    CHAT_RECORD_SCHEMA,
    {
      type: 'object',
      required: ['records'],
      properties: {
        records: { type: 'array', maxItems: MOST_RECORDS, items: CHAT_RECORD_SCHEMA },
      },
    },
  ],
};

@ApiTags('Game')
@Controller('report')
export class ChatController {
  constructor(private readonly chat: ChatService) {}

  @Public()
  @Post('chat')
  @BodyLimit(512 * 1024)
  @ApiBody({ schema: REPORT_SCHEMA })
  @ApiAnswer(ChatReportView, 'What became of the records', 'service_unavailable')
  report(@Body() body: object): Promise<ChatReportView> {
    return this.chat.report(body);
  }
}
