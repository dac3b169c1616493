import { Controller, Param, Query } from '@nestjs/common';
import { DeskGet } from '../desk-route.decorator.js';
import { IdPipe } from '../id.pipe.js';
import { MAY_READ_CHAT } from '../permissions.js';
import { FindChatDto } from './chat.dto.js';
import { DeskChatService } from './desk-chat.service.js';

@Controller('chat')
export class DeskChatController {
  constructor(private readonly chat: DeskChatService) {}

  @DeskGet('', MAY_READ_CHAT)
  find(@Query() dto: FindChatDto) {
    return this.chat.find(dto);
  }

  @DeskGet(':id/around', MAY_READ_CHAT)
  around(@Param('id', new IdPipe(Number.MAX_SAFE_INTEGER)) id: number) {
    return this.chat.around(id);
  }
}
