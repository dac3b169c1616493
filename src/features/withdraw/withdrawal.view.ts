import { ApiProperty } from '@nestjs/swagger';
import { BanView } from '../../platform/openapi/error.view.js';
import { type Withdrawal } from './record/withdrawal.entity.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './record/withdrawal-status.js';
import type { GameRole } from './game/game-database.js';

export class WithdrawalView {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) server_id: number;
  @ApiProperty({ type: 'integer' }) role_id: number;
  @ApiProperty() role_name: string;
  @ApiProperty({ type: 'integer' }) amount: number;
  @ApiProperty({
    enum: WITHDRAWAL_STATUSES,
    description: 'unknown: being checked; the role stays locked until it is settled',
  })
  status: WithdrawalStatus;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'error name of one that was refused or failed',
  })
  reason: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) settled_at: string | null;
}

export class WithdrawalListView {
  @ApiProperty({ type: [WithdrawalView], description: 'newest first' })
  withdrawals: WithdrawalView[];
  @ApiProperty({ type: 'integer', description: 'what the daily limit leaves' }) left_today: number;
  @ApiProperty({ type: BanView, nullable: true, description: 'why the player may not withdraw' })
  ban: BanView | null;
}

export class RoleView {
  @ApiProperty({ type: 'integer' }) role_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: 'integer' }) level: number;
  @ApiProperty({ type: 'integer' }) balance: number;
}

export class RoleListView {
  @ApiProperty({ type: [RoleView] }) roles: RoleView[];
}

export function toWithdrawalView(withdrawal: Withdrawal): WithdrawalView {
  const { id, serverId, roleId, roleName, amount, status, reason } = withdrawal;
  return {
    id,
    server_id: serverId,
    role_id: roleId,
    role_name: roleName,
    amount,
    status,
    reason,
    created_at: withdrawal.createdAt.toISOString(),
    settled_at: withdrawal.settledAt?.toISOString() ?? null,
  };
}

export function toRoleView({ id, name, level, balance }: GameRole): RoleView {
  return { role_id: id, name, level, balance };
}
