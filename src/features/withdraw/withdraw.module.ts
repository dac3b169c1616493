import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { WithdrawalDispatcher } from './withdrawal-dispatcher.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { SqlEditRecorder } from '../../platform/audit/sql-edit-recorder.js';
import { WithdrawalEdits } from './record/withdrawal-edits.js';
import { AbandonedWithdrawals } from './background/abandoned-withdrawals.js';
import { WithdrawalSweeper } from './background/withdrawal-sweeper.js';
import { UnknownWithdrawalAlert } from './background/unknown-withdrawal-alert.js';
import { WithdrawController } from './withdraw.controller.js';
import { WithdrawalMail } from './withdrawal-mail.js';
import { WithdrawService } from './withdraw.service.js';
import { WITHDRAWAL_ENTITIES, WITHDRAWAL_PROVIDERS } from './withdrawal-providers.js';

@Module({
  imports: [TypeOrmModule.forFeature([...WITHDRAWAL_ENTITIES, Player]), MailModule, ServersModule],
  controllers: [WithdrawController],
  providers: [
    ...WITHDRAWAL_PROVIDERS,
    AbandonedWithdrawals,
    WithdrawalDispatcher,
    InFlightWithdrawals,
    OutcomeRecorder,
    WithdrawalSweeper,
    UnknownWithdrawalAlert,
    WithdrawService,
    WithdrawalEdits,
    WithdrawalMail,
  ],
})
export class WithdrawModule {
  constructor(sqlEdits: SqlEditRecorder, edits: WithdrawalEdits) {
    sqlEdits.register('withdrawals', edits);
  }
}
