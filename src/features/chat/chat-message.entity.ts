import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { IntColumn, TextColumn } from '../../platform/database/columns.js';

/** `ChatTable` inserts these rows with SQL, and operators search them. */
@Entity('chat')
@Index('chat_id', ['serverId', 'chatId'], { unique: true })
export class ChatMessage {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: string;
  @IntColumn() serverId: number;
  @TextColumn(110, { nullable: true }) chatId: string | null;
  @TextColumn(64, { nullable: true }) account: string | null;
  @Column({ type: 'bigint', name: 'role_id', nullable: true }) roleId: string | null;
  @TextColumn(64, { nullable: true }) roleName: string | null;
  @TextColumn(32, { nullable: true }) channel: string | null;
  @TextColumn(2000) content: string;
  @Column({ type: 'datetime' }) time: Date;
  @CreateDateColumn({
    type: 'datetime',
    precision: 3,
    name: 'created_at',
    default: () => 'CURRENT_TIMESTAMP(3)',
  })
  createdAt: Date;
  @TextColumn(45, { nullable: true }) reportedBy: string | null;
}
