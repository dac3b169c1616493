import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

// The drivers give BIGINT as text.
const number = { to: (value: unknown) => value, from: Number };

/** A passkey of a player. The migration explains each column. */
@Entity('player_passkey')
@Index('player_passkey_credential', ['credentialId'], { unique: true })
@Index('player_passkey_player', ['playerId'])
export class PlayerPasskey {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'varchar', length: 1364, name: 'credential_id' })
  credentialId: string;

  @Column({ type: 'varchar', length: 2048, name: 'public_key' })
  publicKey: string;

  @Column({ type: 'bigint', name: 'sign_count', default: 0, transformer: number })
  signCount: number;

  @Column({ type: 'varchar', length: 128, default: '' })
  transports: string;

  @Column({ type: 'varchar', length: 32 })
  name: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'used_at', nullable: true })
  usedAt: Date | null;
}
