import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { EnumColumn, IntColumn, TextColumn, TimeColumn } from '../database/columns.js';
import type { EventType } from '../config/event-settings.js';

export const EVENT_STATUSES = ['waiting', 'delivered', 'dead'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Holds one event for one endpoint. The migration explains each column. */
@Entity('event_outbox')
@Index('event_outbox_player', ['playerId', 'endpoint', 'status', 'id'])
@Index('event_outbox_status', ['status', 'endpoint', 'id'])
@Index('event_outbox_expires_at', ['expiresAt'])
export class OutboxEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @TextColumn(32) endpoint: string;
  @IntColumn() playerId: number;
  @TextColumn(64) webhookId: string;
  @TextColumn(32) type: EventType;
  @Column({ type: 'text' }) body: string;
  @EnumColumn(EVENT_STATUSES, { default: 'waiting' }) status: EventStatus;
  @IntColumn({ default: 0 }) tries: number;
  @TextColumn(200, { nullable: true }) failure: string | null;
  @TimeColumn() createdAt: Date;
  @TimeColumn({ nullable: true }) triedAt: Date | null;
  @TimeColumn() expiresAt: Date;
}

/** Says when a player's first waiting event is due at an endpoint. The row is deleted once no event waits. */
@Entity('event_queue')
@Index('event_queue_due', ['endpoint', 'dueAt'])
export class EventQueue {
  @PrimaryColumn({ type: 'varchar', length: 32 }) endpoint: string;
  @IntColumn({ primary: true }) playerId: number;
  @TimeColumn() dueAt: Date;
  @IntColumn({ default: 0 }) version: number;
  @TextColumn(64, { nullable: true }) switchedOffBy: string | null;
}
