import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SETTLED_OUTCOMES = ['succeeded', 'failed'] as const;
export type SettledOutcome = (typeof SETTLED_OUTCOMES)[number];

/** One operator's request to settle a withdrawal that needs two. Written by `FourEyesSettlement`; the migration explains each column. */
@Entity('settle_request')
export class SettleRequest {
  @PrimaryColumn({ type: 'int', name: 'withdraw_id' })
  withdrawId: number;

  @Column({ type: 'varchar', length: 64, name: 'order_no' })
  orderNo: string;

  @Column({ type: 'simple-enum', enum: SETTLED_OUTCOMES })
  outcome: SettledOutcome;

  @Column({ type: 'varchar', length: 64 })
  operator: string;

  @Column({ type: 'varchar', length: 1000 })
  note: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;
}
