import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('player_recovery_code')
export class RecoveryCode {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @PrimaryColumn({ type: 'varchar', length: 43, name: 'code_hash' })
  codeHash: string;

  @Column({ type: 'datetime', precision: 3, name: 'used_at', nullable: true })
  usedAt: Date | null;
}
