import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ErrorName } from '../../../platform/http/errors/error-table.js';
import {
  FINAL_STATUS_LIST,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from './withdrawal-status.js';

// The drivers give BIGINT as a string; everything stored here is a safe integer.
const number = { to: (value: unknown) => value, from: (value: unknown) => value && Number(value) };

/** One request of a player to withdraw. Written by `WithdrawalStore`, `asks` by `UnknownWithdrawalResolver`, and `mailedAt` by `WithdrawalMail`; the migration explains each column. */
@Entity('withdraw')
@Index('withdraw_open', ['roleServerId', 'roleId', 'isOpen'], { unique: true })
@Index('withdraw_key', ['playerId', 'idempotencyKey'], { unique: true })
@Index('withdraw_order', ['orderNo'], { unique: true })
export class Withdrawal {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'int', name: 'player_id' })
  playerId: number;

  @Column({ type: 'int', name: 'server_id' })
  serverId: number;

  /** The server whose database holds the role: differs from `serverId` after a merge. */
  @Column({ type: 'int', name: 'role_server_id' })
  roleServerId: number;

  @Column({ type: 'bigint', name: 'role_id', transformer: number })
  roleId: number;

  @Column({ type: 'varchar', length: 64, name: 'role_name' })
  roleName: string;

  @Column({ type: 'bigint', transformer: number })
  amount: number;

  @Column({ type: 'simple-enum', enum: WITHDRAWAL_STATUSES })
  status: WithdrawalStatus;

  @Column({ type: 'varchar', length: 64, nullable: true })
  reason: ErrorName | null;

  @Column({ type: 'varchar', length: 64, name: 'order_no', nullable: true })
  orderNo: string | null;

  @Column({ type: 'varchar', length: 64, name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @Column({ type: 'varchar', length: 64, name: 'request_id', nullable: true })
  requestId: string | null;

  @Column({ type: 'bigint', name: 'balance_before', nullable: true, transformer: number })
  balanceBefore: number | null;

  @Column({ type: 'datetime', precision: 3, name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'datetime', precision: 3, name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column({ type: 'datetime', precision: 3, name: 'settled_at', nullable: true })
  settledAt: Date | null;

  @Column({ type: 'int', default: 0 })
  asks: number;

  @Column({ type: 'datetime', precision: 3, name: 'asked_at', nullable: true })
  askedAt: Date | null;

  /** See `WithdrawalMail`. */
  @Column({ type: 'datetime', precision: 3, name: 'mailed_at', nullable: true })
  mailedAt: Date | null;

  /** The game server that received the command. Null: never sent, or sent before this was recorded. */
  @Column({ type: 'varchar', length: 255, name: 'gm_host', nullable: true })
  gmHost: string | null;

  @Column({ type: 'int', name: 'gm_port', nullable: true })
  gmPort: number | null;

  @Column({ type: 'varchar', length: 255, name: 'gm_path', nullable: true })
  gmPath: string | null;

  /** 1 while the outcome is open, else null: with server and role it forms the key that allows one at a time. */
  @Column({
    type: 'int',
    name: 'is_open',
    nullable: true,
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    asExpression: `CASE WHEN status NOT IN (${FINAL_STATUS_LIST}) THEN 1 END`,
  })
  isOpen: number | null;
}
