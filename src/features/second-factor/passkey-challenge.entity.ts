import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An open challenge to a passkey; a use deletes it. */
@Entity('passkey_challenge')
@Index('passkey_challenge_expires_at', ['expiresAt'])
export class PasskeyChallenge {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  hash: string;

  @Column({ type: 'varchar', length: 16 })
  purpose: string;

  @Column({ type: 'int', name: 'player_id', nullable: true })
  playerId: number | null;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;
}
