import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { BAN_SCOPES, type BanScope } from './ban-scope.js';
import { Player } from './player.entity.js';

/** A ban. The migration explains each column. */
@Entity('player_ban')
export class PlayerBan {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'simple-enum', enum: BAN_SCOPES, default: 'all' })
  scope: BanScope;

  @Column({ type: 'varchar', length: 200 })
  reason: string;

  @Column({ type: 'varchar', length: 1000, default: '' })
  note: string;

  @Column({ type: 'varchar', length: 64, name: 'created_by', default: 'sql' })
  createdBy: string;

  @Column({
    type: 'datetime',
    precision: 3,
    name: 'created_at',
    default: () => 'utc_timestamp(3)',
  })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  until: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'lifted_at', nullable: true })
  liftedAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'applied_at', nullable: true })
  appliedAt: Date | null;

  @ManyToOne(() => Player)
  @JoinColumn({ name: 'player_id', foreignKeyConstraintName: 'player_ban_owner' })
  player: Player;
}
