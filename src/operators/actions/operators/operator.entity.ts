import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from './role.js';

/** A person who may use the desk. The migration explains each column. */
@Entity('operator')
@Index('operator_name', ['name'], { unique: true })
export class Operator {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 32 })
  name: string;

  @Column({ type: 'varchar', length: 16 })
  role: Role;

  @Column({ type: 'varchar', length: 160, select: false })
  password: string;

  @Column({ type: 'varchar', length: 128, name: 'totp_secret', nullable: true, select: false })
  totpSecret: string | null;

  @Column({ type: 'int', name: 'totp_last_step', nullable: true })
  totpLastStep: number | null;

  @Column({ type: 'datetime', precision: 3, name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'unlocked_at', nullable: true })
  unlockedAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;
}
