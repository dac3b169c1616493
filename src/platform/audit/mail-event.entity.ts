import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The outcome of a mail; `uncertain`: the mail server may have accepted it. */
export type MailOutcome = 'sent' | 'uncertain' | 'failed' | 'held_back';

/** A mail to a player. Written by `MailEventLog`; the migration explains each column. */
@Entity('mail_event')
export class MailEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'varchar', length: 32 })
  kind: string;

  @Column({ type: 'varchar', length: 16 })
  outcome: MailOutcome;

  @Column({ type: 'int', nullable: true })
  reply: number | null;

  @Column({ type: 'varchar', length: 260 })
  mailbox: string;
}
