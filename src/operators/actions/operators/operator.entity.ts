import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { IntColumn, TextColumn, TimeColumn } from '../../../platform/database/columns.js';

export const ROLES = ['support', 'moderator', 'treasury', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export interface DeskOperator {
  name: string;
  role: Role;
}

@Entity('operator')
@Index('operator_name', ['name'], { unique: true })
export class Operator {
  @PrimaryGeneratedColumn() id: number;
  @TextColumn(32) name: string;
  @TextColumn(16) role: Role;
  @TextColumn(160, { select: false }) password: string;
  @TextColumn(128, { nullable: true, select: false }) totpSecret: string | null;
  @IntColumn({ nullable: true }) totpLastStep: number | null;
  @TimeColumn({ nullable: true }) disabledAt: Date | null;
  @TimeColumn({ nullable: true }) unlockedAt: Date | null;
  @TimeColumn() createdAt: Date;
}

@Entity('operator_session')
export class OperatorSession {
  @TextColumn(43, { primary: true }) id: string;
  @IntColumn() operatorId: number;
  @TextColumn(45) address: string;
  @TimeColumn() createdAt: Date;
  @TimeColumn() seenAt: Date;
  @TimeColumn() expiresAt: Date;
}
