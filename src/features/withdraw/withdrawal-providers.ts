import type { Type } from '@nestjs/common';
import { GmClient } from './game/gm-client.js';
import { WithdrawalServers } from './game/withdrawal-servers.js';
import { GameDatabasePools } from './game/game-database-pools.js';
import { GameDatabase } from './game/game-database.js';
import { PinnedGameNames } from './game/pinned-game-names.js';
import { ServerFailureMetrics } from './game/server-failure-metrics.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import { WithdrawalEvent } from './record/withdrawal-event.entity.js';
import { WithdrawalOrphan } from './record/withdrawal-orphan.entity.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { UnknownWithdrawalResolver } from './background/unknown-withdrawal-resolver.js';

export const WITHDRAWAL_ENTITIES = [Withdrawal, WithdrawalEvent, WithdrawalOrphan];

/** Withdrawal states and access to the game. Operators need it too, without routes and sweeper. */
export const WITHDRAWAL_PROVIDERS: Type[] = [
  GmClient,
  UnknownWithdrawalResolver,
  WithdrawalStore,
  WithdrawalOrphans,
  WithdrawalServers,
  GameDatabasePools,
  PinnedGameNames,
  GameDatabase,
  ServerFailureMetrics,
];
