import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  BigIntColumn,
  IntColumn,
  TextColumn,
  TimeColumn,
} from '../../platform/database/columns.js';

@Entity('player_passkey')
@Index('player_passkey_credential', ['credentialId'], { unique: true })
@Index('player_passkey_player', ['playerId'])
export class PlayerPasskey {
  @PrimaryGeneratedColumn() id: number;
  @IntColumn() playerId: number;
  @TextColumn(1364) credentialId: string;
  @TextColumn(2048) publicKey: string;
  @BigIntColumn({ default: 0 }) signCount: number;
  @TextColumn(128, { default: '' }) transports: string;
  @TextColumn(32) name: string;
  @TimeColumn() createdAt: Date;
  @TimeColumn({ nullable: true }) usedAt: Date | null;
}

@Entity('player_totp')
export class PlayerTotp {
  @IntColumn({ primary: true }) playerId: number;
  @TextColumn(128, { select: false }) secret: string;
  @TimeColumn() createdAt: Date;
  @TimeColumn({ nullable: true }) confirmedAt: Date | null;
  @IntColumn({ default: 0 }) lastStep: number;
  @BigIntColumn({ nullable: true }) sessionId: number | null;
}

@Entity('player_recovery_code')
export class RecoveryCode {
  @IntColumn({ primary: true }) playerId: number;
  @TextColumn(43, { primary: true }) codeHash: string;
  @TimeColumn({ nullable: true }) usedAt: Date | null;
}
