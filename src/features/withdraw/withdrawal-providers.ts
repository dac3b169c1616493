import type { Type } from '@nestjs/common';
import { GameAccountService } from './game/game-account.service.js';
import { GameDatabasePools, GameDatabase } from './game/game-database.js';
import { GmClient } from './game/gm-client.js';
import { WithdrawalServers, ServerFailureMetrics } from './game/withdrawal-servers.js';
import { WithdrawalOrphan, WithdrawalOrphans } from './record/withdrawal-orphans.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import { WithdrawalEvent, Withdrawal } from './record/withdrawal.entity.js';
import { UnknownWithdrawalsService } from './unknown-withdrawals.service.js';

export const WITHDRAWAL_ENTITIES = [Withdrawal, WithdrawalEvent, WithdrawalOrphan];

/** Operator tools also use these providers, without the module's routes and sweeper. */
export const WITHDRAWAL_PROVIDERS: Type[] = [
  GmClient,
  UnknownWithdrawalsService,
  WithdrawalStore,
  WithdrawalOrphans,
  WithdrawalServers,
  GameDatabasePools,
  GameAccountService,
  GameDatabase,
  ServerFailureMetrics,
];
