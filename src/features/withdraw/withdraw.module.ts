import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SqlEditsService } from '../../platform/audit/sql-edits.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { WithdrawalSqlEdits } from './record/withdrawal-sql-edits.js';
import { WithdrawController } from './withdraw.controller.js';
import { WithdrawService } from './withdraw.service.js';
import { WithdrawalMail } from './withdrawal-mail.js';
import { WithdrawalAlerts } from './withdrawal-alerts.js';
import {
  OrderSendingService,
  WithdrawalOutcomeService,
  InFlightWithdrawals,
} from './order-sending.service.js';
import { WITHDRAWAL_ENTITIES, WITHDRAWAL_PROVIDERS } from './withdrawal-providers.js';
import { AbandonedWithdrawals, WithdrawalSweeper } from './withdrawal-sweeper.js';

@Module({
  imports: [TypeOrmModule.forFeature([...WITHDRAWAL_ENTITIES, Player]), MailModule, ServersModule],
  controllers: [WithdrawController],
  providers: [
    ...WITHDRAWAL_PROVIDERS,
    AbandonedWithdrawals,
    OrderSendingService,
    InFlightWithdrawals,
    WithdrawalOutcomeService,
    WithdrawalSweeper,
    WithdrawalAlerts,
    WithdrawService,
    WithdrawalSqlEdits,
    WithdrawalMail,
  ],
})
export class WithdrawModule {
  constructor(sqlEdits: SqlEditsService, edits: WithdrawalSqlEdits) {
    sqlEdits.register('withdrawals', edits);
  }
}
