import { Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import { DeskGet } from '../desk-route.decorator.js';
import { Id } from '../id.decorator.js';
import { MAY_READ_CHAT } from '../permissions.js';
import { ChatFilterDto, FindChatDto } from './chat.dto.js';
import { DeskChatService } from './desk-chat.service.js';

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
