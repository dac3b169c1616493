import { Column, Entity, PrimaryColumn } from 'typeorm';

const APPROVED_KINDS = ['withdrawal', 'server'] as const;
export type ApprovedKind = (typeof APPROVED_KINDS)[number];

/**
 * An act that one operator proposed and a second has to agree with. Written by `FourEyes`; the migration explains each
 * column.
 */
@Entity('approval_request')
export class ApprovalRequest {
  @PrimaryColumn({ type: 'simple-enum', enum: APPROVED_KINDS })
  kind: ApprovedKind;

  @PrimaryColumn({ type: 'int', name: 'target_id' })
  targetId: number;

  @Column({ type: 'varchar', length: 64, name: 'order_no' })
  orderNo: string;

  @Column({ type: 'text' })
  proposal: string;

  @Column({ type: 'varchar', length: 64 })
  operator: string;

  @Column({ type: 'varchar', length: 1000 })
  note: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;
}
