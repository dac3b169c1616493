import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An order that was sent but whose row is gone, with all its data. A person handles it and sets `handledAt`. */
@Entity('withdraw_orphan')
@Index('withdraw_orphan_order', ['orderNo'], { unique: true })
export class WithdrawalOrphan {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 64, name: 'order_no' })
  orderNo: string;

  @Column({ type: 'varchar', length: 16 })
  outcome: string;

  @Column({ type: 'varchar', length: 1000 })
  evidence: string;

  @Column({ type: 'int', name: 'withdraw_id' })
  withdrawId: number;

  @Column({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'int', name: 'server_id' })
  serverId: number;

  @Column({ type: 'int', name: 'role_server_id' })
  roleServerId: number;

  @Column({ type: 'bigint', name: 'role_id' })
  roleId: number | string;

  @Column({ type: 'varchar', length: 64, name: 'role_name' })
  roleName: string;

  @Column({ type: 'bigint' })
  amount: number | string;

  @Column({ type: 'bigint', name: 'balance_before', nullable: true })
  balanceBefore: number | string | null;

  @Column({ type: 'varchar', length: 64, name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @Column({ type: 'datetime', precision: 3, name: 'requested_at' })
  requestedAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'sent_at' })
  sentAt: Date;

  @Column({ type: 'varchar', length: 255, name: 'gm_host' })
  gmHost: string;

  @Column({ type: 'int', name: 'gm_port' })
  gmPort: number;

  @Column({ type: 'varchar', length: 255, name: 'gm_path' })
  gmPath: string;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'handled_at', nullable: true })
  handledAt: Date | null;
}
