import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { EnumColumn, IntColumn, TextColumn, TimeColumn } from '../database/columns.js';
import { BAN_SCOPES, type BanScope } from './ban.js';
import { Player } from './player.entity.js';

@Entity('player_ban')
export class PlayerBan {
  @PrimaryGeneratedColumn() id: number;
  @IntColumn() playerId: number;
  @EnumColumn(BAN_SCOPES, { default: 'all' }) scope: BanScope;
  @TextColumn(200) reason: string;
  @TextColumn(1000, { default: '' }) note: string;
  @TextColumn(64, { default: 'sql' }) createdBy: string;
  @TimeColumn({ default: () => 'utc_timestamp(3)' }) createdAt: Date;
  @TimeColumn({ nullable: true }) until: Date | null;
  @TimeColumn({ nullable: true }) liftedAt: Date | null;
  @TimeColumn({ nullable: true }) appliedAt: Date | null;
  @TimeColumn({ nullable: true }) liftMailedAt: Date | null;
  @ManyToOne(() => Player)
  @JoinColumn({ name: 'player_id', foreignKeyConstraintName: 'player_ban_owner' })
  player: Player;
}
