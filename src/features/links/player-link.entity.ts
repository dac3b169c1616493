import { CreateDateColumn, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IntColumn, TextColumn } from '../../platform/database/columns.js';
import { Player } from '../../platform/auth/player.entity.js';

/** Links an account to at most one identity per provider. An identity belongs to one account. */
@Entity('player_connect_threeparty')
@Index('player_connect_identity', ['provider', 'connectId'], { unique: true })
export class PlayerLink {
  @IntColumn({ primary: true }) playerId: number;
  @TextColumn(32, { primary: true }) provider: string;
  @TextColumn(128) connectId: string;
  @TextColumn(40, { nullable: true }) name: string | null;
  @CreateDateColumn({ type: 'datetime', name: 'created_at' }) createdAt: Date;
  /** There is no CASCADE, because group replication in MySQL does not support cascades with several primaries. */
  @ManyToOne(() => Player)
  @JoinColumn({ name: 'player_id', foreignKeyConstraintName: 'player_connect_player' })
  player: Player;
}
