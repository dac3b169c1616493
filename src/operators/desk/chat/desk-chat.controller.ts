import { Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { MAY_READ_CHAT } from '../access/permissions.js';
import { CurrentOperator, DeskGet, Id } from '../http/desk-route.decorator.js';
import { ChatFilterDto, DeskChatService, FindChatDto } from './desk-chat.service.js';

@Controller('chat')
export class DeskChatController {
  constructor(private readonly chat: DeskChatService) {}

  @DeskGet('', MAY_READ_CHAT)
  find(@Query() dto: FindChatDto) {
    return this.chat.find(dto);
  }

  @DeskGet('export', MAY_READ_CHAT)
  async export(
    @CurrentOperator() me: DeskOperator,
    @Query() dto: ChatFilterDto,
    @Res() response: Response,
  ) {
    return sendAttachment(response, 'chat', 'csv', await this.chat.export(me, dto));
  }

  @DeskGet(':id/around', MAY_READ_CHAT)
  around(@Id(Number.MAX_SAFE_INTEGER) id: number) {
    return this.chat.around(id);
  }
}
