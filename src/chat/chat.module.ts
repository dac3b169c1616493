import { Module } from '@nestjs/common';
import { ChatRetention } from './chat-retention.js';
import { ChatTable } from './chat-table.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';

@Module({ controllers: [ChatController], providers: [ChatService, ChatTable, ChatRetention] })
export class ChatModule {}
