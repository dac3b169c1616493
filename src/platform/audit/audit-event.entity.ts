import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An act of an operator, or an SQL edit that the service saw. The migration explains each column. */
@Entity('audit_event')
@Index('audit_event_change', ['changeKey'], { unique: true })
export class AuditEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'varchar', length: 64 })
  operator: string;

  @Column({ type: 'varchar', length: 32 })
  act: string;

  @Column({ type: 'varchar', length: 64 })
  subject: string;

  @Column({ type: 'simple-json', name: 'state_before', nullable: true })
  before: object | null;

  @Column({ type: 'simple-json', name: 'state_after', nullable: true })
  after: object | null;

  @Column({ type: 'varchar', length: 1000 })
  note: string;

  @Column({ type: 'varchar', length: 64, name: 'change_key', nullable: true })
  changeKey: string | null;
}
