import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';

/** Links an account to a third-party identity: one identity per account and provider, one account per identity. */
@Entity('player_connect_threeparty')
@Index('player_connect_identity', ['provider', 'connectId'], { unique: true })
export class PlayerLink {
  @PrimaryColumn({ type: 'int', name: 'player_id' })
  playerId: number;

  @PrimaryColumn({ type: 'varchar', length: 32 })
  provider: string;

  @Column({ type: 'varchar', length: 128, name: 'connect_id' })
  connectId: string;

  @CreateDateColumn({ type: 'datetime', name: 'created_at' })
  createdAt: Date;

  /** Without CASCADE, which MySQL's group replication does not support with several primaries. */
  @ManyToOne(() => Player)
  @JoinColumn({ name: 'player_id', foreignKeyConstraintName: 'player_connect_player' })
  player: Player;
}
