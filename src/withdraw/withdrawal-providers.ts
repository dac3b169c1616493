import type { Type } from '@nestjs/common';
import { GmClient } from './game/gm-client.js';
import { WithdrawalZones } from './game/withdrawal-zones.js';
import { ZoneConnections } from './game/zone-connections.js';
import { ZoneDatabase } from './game/zone-database.js';
import { ZoneFailures } from './game/zone-failures.js';
import { SettleRequest } from './record/settle-request.entity.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import { WithdrawalCount } from './record/withdrawal-count.js';
import { WithdrawalEvent } from './record/withdrawal-event.entity.js';
import { WithdrawalOrphan } from './record/withdrawal-orphan.entity.js';
import { WithdrawalOrphans } from './record/withdrawal-orphans.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { UnknownInquiry } from './upkeep/unknown-inquiry.js';

export const WITHDRAWAL_ENTITIES = [SettleRequest, Withdrawal, WithdrawalEvent, WithdrawalOrphan];

/** The states of withdrawals and the access to the game. Operators need it too, without routes and sweeper. */
export const WITHDRAWAL_PROVIDERS: Type[] = [
  GmClient,
  UnknownInquiry,
  WithdrawalBook,
  WithdrawalCount,
  WithdrawalOrphans,
  WithdrawalZones,
  ZoneConnections,
  ZoneDatabase,
  ZoneFailures,
];
