import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The authenticator app of a player. The migration explains each column. */
@Entity('player_totp')
export class PlayerTotp {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'varchar', length: 128, select: false })
  secret: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null;

  @Column({ type: 'int', name: 'last_step', default: 0 })
  lastStep: number;
}
