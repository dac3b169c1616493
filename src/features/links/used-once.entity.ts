import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('used_once')
export class UsedOnce {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  hash: string;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;
}
