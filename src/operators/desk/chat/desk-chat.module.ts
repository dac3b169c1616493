import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatMessage } from '../../../features/chat/chat-message.entity.js';
import { ChatSearch } from '../../actions/chat/chat-search.js';
import { CsvExport } from '../csv-export.js';
import { DeskChatController } from './desk-chat.controller.js';
import { DeskChatService } from './desk-chat.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ChatMessage])],
  controllers: [DeskChatController],
  providers: [ChatSearch, CsvExport, DeskChatService],
})
export class DeskChatModule {}
