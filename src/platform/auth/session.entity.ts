import { Entity } from 'typeorm';
import { BigIntColumn, IntColumn, TextColumn, TimeColumn } from '../database/columns.js';

@Entity('session')
export class Session {
  @IntColumn({ primary: true }) playerId: number;
  @BigIntColumn({ primary: true }) id: number;
  @IntColumn() ver: number;
  @TextColumn(64, { nullable: true }) device: string | null;
  @TextColumn(64, { nullable: true }) os: string | null;
  @TextColumn(64, { nullable: true }) browse: string | null;
  @TextColumn(45, { nullable: true }) address: string | null;
  @TimeColumn() createdAt: Date;
  @TimeColumn() confirmedAt: Date;
  @TimeColumn({ nullable: true }) secondFactorAt: Date | null;
  @TimeColumn() seenAt: Date;
  @TimeColumn() expiresAt: Date;
  @TimeColumn({ nullable: true }) endedAt: Date | null;
  @TextColumn(43, { nullable: true, select: false }) cookieHash: string | null;
  @TextColumn(43, { nullable: true, select: false }) cookieSalt: string | null;
  @TextColumn(43, { nullable: true, select: false }) previousHash: string | null;
  @TimeColumn({ nullable: true }) rotatedAt: Date | null;
  @TextColumn(43, { nullable: true, select: false }) trustHash: string | null;
  @TimeColumn({ nullable: true }) trustedUntil: Date | null;
}
