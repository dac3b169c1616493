import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address that recently logged an account in. */
@Entity('login_address')
export class LoginAddress {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @PrimaryColumn({ type: 'varchar', length: 64 })
  address: string;

  @Column({ type: 'datetime', precision: 3, name: 'seen_at' })
  seenAt: Date;
}
