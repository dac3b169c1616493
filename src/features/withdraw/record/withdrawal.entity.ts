import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  BigIntColumn,
  EnumColumn,
  IntColumn,
  TextColumn,
  TimeColumn,
} from '../../../platform/database/columns.js';
import type { ErrorName } from '../../../platform/http/errors/error-table.js';
import {
  FINAL_STATUS_LIST,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from './withdrawal-status.js';

/**
 * `WithdrawalStore` writes these rows. `UnknownWithdrawalsService` writes `asks` and `askedAt`, and `WithdrawalMail`
 * writes `mailedAt`. The migration explains each column.
 */
@Entity('withdraw')
@Index('withdraw_open', ['roleServerId', 'roleId', 'isOpen'], { unique: true })
@Index('withdraw_key', ['playerId', 'idempotencyKey'], { unique: true })
@Index('withdraw_order', ['orderNo'], { unique: true })
export class Withdrawal {
  @PrimaryGeneratedColumn() id: number;
  @IntColumn() playerId: number;
  @IntColumn() serverId: number;
  /** Identifies the server whose database holds the role. It differs from `serverId` after a merge. */
  @IntColumn() roleServerId: number;
  @BigIntColumn() roleId: number;
  @TextColumn(64) roleName: string;
  @BigIntColumn() amount: number;
  @EnumColumn(WITHDRAWAL_STATUSES) status: WithdrawalStatus;
  @TextColumn(64, { nullable: true }) reason: ErrorName | null;
  @TextColumn(64, { nullable: true }) orderNo: string | null;
  @TextColumn(64, { nullable: true }) idempotencyKey: string | null;
  @TextColumn(64, { nullable: true }) requestId: string | null;
  @TextColumn(45, { nullable: true }) address: string | null;
  @BigIntColumn({ nullable: true }) sessionId: number | null;
  @BigIntColumn({ nullable: true }) balanceBefore: number | null;
  @TimeColumn() createdAt: Date;
  @TimeColumn({ nullable: true }) sentAt: Date | null;
  @TimeColumn({ nullable: true }) settledAt: Date | null;
  @IntColumn({ default: 0 }) asks: number;
  @TimeColumn({ nullable: true }) askedAt: Date | null;
  @TimeColumn({ nullable: true }) mailedAt: Date | null;
  /** Identifies the game server that got the command. It is null if nothing was sent, and in rows of early releases. */
  @TextColumn(255, { nullable: true }) gmHost: string | null;
  @IntColumn({ nullable: true }) gmPort: number | null;
  @TextColumn(255, { nullable: true }) gmPath: string | null;
  /** The value is 1 while the outcome is open, otherwise null. A unique key allows one open withdrawal per role. */
  @IntColumn({
    nullable: true,
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    asExpression: `CASE WHEN status NOT IN (${FINAL_STATUS_LIST}) THEN 1 END`,
  })
  isOpen: number | null;
}

const EVENT_CAUSES = ['request', 'balance', 'gm', 'sweeper', 'gm_query', 'person', 'sql'] as const;
export type EventCause = (typeof EVENT_CAUSES)[number];

/** Records one status change of a withdrawal with its evidence. Events are appended and never changed. */
@Entity('withdraw_event')
export class WithdrawalEvent {
  @PrimaryGeneratedColumn() id: number;
  @IntColumn() withdrawId: number;
  @EnumColumn(WITHDRAWAL_STATUSES, { nullable: true }) fromStatus: WithdrawalStatus | null;
  @EnumColumn(WITHDRAWAL_STATUSES) toStatus: WithdrawalStatus;
  @EnumColumn(EVENT_CAUSES) cause: EventCause;
  @TextColumn(1000) evidence: string;
  @TimeColumn() createdAt: Date;
}

export function groupByServer(withdrawals: Withdrawal[]): Map<number, Withdrawal[]> {
  const servers = new Map<number, Withdrawal[]>();
  for (const withdrawal of withdrawals) {
    const others = servers.get(withdrawal.roleServerId);
    if (others) others.push(withdrawal);
    else servers.set(withdrawal.roleServerId, [withdrawal]);
  }
  return servers;
}
