import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventBacklog } from './event-backlog.service.js';
import { EventOutbox } from './event-outbox.js';
import { EventQueue, OutboxEvent } from './event.entity.js';

/** Lets every program write events. Only the service delivers them, so `AppModule` provides `EventDelivery`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([EventQueue, OutboxEvent])],
  providers: [EventBacklog, EventOutbox],
  exports: [EventBacklog, EventOutbox],
})
export class EventsModule {}
