import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './withdrawal-status.js';

const EVENT_CAUSES = ['request', 'balance', 'gm', 'sweeper', 'gm_query', 'person', 'sql'] as const;
export type EventCause = (typeof EVENT_CAUSES)[number];

/** One change of state of a withdrawal, with its evidence. Appended, never changed. */
@Entity('withdraw_event')
export class WithdrawalEvent {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'int', name: 'withdraw_id' })
  withdrawId: number;

  @Column({ type: 'simple-enum', enum: WITHDRAWAL_STATUSES, name: 'from_status', nullable: true })
  fromStatus: WithdrawalStatus | null;

  @Column({ type: 'simple-enum', enum: WITHDRAWAL_STATUSES, name: 'to_status' })
  toStatus: WithdrawalStatus;

  @Column({ type: 'simple-enum', enum: EVENT_CAUSES })
  cause: EventCause;

  @Column({ type: 'varchar', length: 1000 })
  evidence: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;
}
