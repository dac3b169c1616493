import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in at the desk. Written by `OperatorSessions`; the migration explains each column. */
@Entity('operator_session')
export class OperatorSession {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  id: string;

  @Column({ type: 'int', name: 'operator_id' })
  operatorId: number;

  @Column({ type: 'varchar', length: 45 })
  address: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'seen_at' })
  seenAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'expires_at' })
  expiresAt: Date;
}
