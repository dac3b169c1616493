import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A chat record. `ChatTable` writes it by SQL; the entity exists for the schema drift test. */
@Entity('chat')
@Index('chat_id', ['serverId', 'chatId'], { unique: true })
export class ChatMessage {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'int', name: 'server_id' })
  serverId: number;

  @Column({ type: 'varchar', length: 110, name: 'chat_id', nullable: true })
  chatId: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  account: string | null;

  @Column({ type: 'bigint', name: 'role_id', nullable: true })
  roleId: string | null;

  @Column({ type: 'varchar', length: 64, name: 'role_name', nullable: true })
  roleName: string | null;

  @Column({ type: 'varchar', length: 32, nullable: true })
  channel: string | null;

  @Column({ type: 'varchar', length: 2000 })
  content: string;

  @Column({ type: 'datetime' })
  time: Date;

  @CreateDateColumn({
    type: 'datetime',
    precision: 3,
    name: 'created_at',
    default: () => 'CURRENT_TIMESTAMP(3)',
  })
  createdAt: Date;

  @Column({ type: 'varchar', length: 45, name: 'reported_by', nullable: true })
  reportedBy: string | null;
}
