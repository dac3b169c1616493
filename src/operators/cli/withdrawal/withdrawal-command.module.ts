import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import { Reconciliation } from './reconciliation.js';
import { RoleBalanceComparison } from './role-balances.js';
import { WithdrawalCommand } from './withdrawal.command.js';

@Module({
  imports: [WithdrawalActionsModule, TypeOrmModule.forFeature([Player])],
  providers: [Reconciliation, RoleBalanceComparison, WithdrawalCommand],
})
export class WithdrawalCommandModule {}
