import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A change of mailbox that the previous mailbox can undo. */
@Entity('mailbox_undo')
@Index('mailbox_undo_expires_at', ['expiresAt'])
export class MailboxUndo {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  /** The player's `lock_version` at the change: it grows with every change. */
  @PrimaryColumn({ type: 'int' })
  version: number;

  @Column({ type: 'varchar', length: 254 })
  email: string;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;
}
