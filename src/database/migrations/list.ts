import type { DataSourceOptions } from 'typeorm';
import { CreateServer1794700800000 } from './1794700800000-create-server.js';
import { CreatePlayer1794700801000 } from './1794700801000-create-player.js';
import { CreateRegistrationDay1794703000000 } from './1794703000000-create-registration-day.js';
import { CreateLoginAddress1794703001000 } from './1794703001000-create-login-address.js';
import { CreateVerify1794703002000 } from './1794703002000-create-verify.js';
import { CreateChat1794704000000 } from './1794704000000-create-chat.js';
import { CreateWithdraw1794705000000 } from './1794705000000-create-withdraw.js';
import { CreatePlayerConnectThreeparty1794706000000 } from './1794706000000-create-player-connect-threeparty.js';
import { CreateUsedOnce1794706001000 } from './1794706001000-create-used-once.js';
import { ManyWriters1794710000000 } from './1794710000000-many-writers.js';
import { WithdrawTarget1794711000000 } from './1794711000000-withdraw-target.js';
import { AddChatReporter1794712000000 } from './1794712000000-add-chat-reporter.js';
import { VerifyAsker1794713100000 } from './1794713100000-verify-asker.js';
import { CreateSession1794713300000 } from './1794713300000-create-session.js';
import { AddZoneGroup1794713400000 } from './1794713400000-add-zone-group.js';
import { CreatePlayerZone1794713401000 } from './1794713401000-create-player-zone.js';
import { CreatePlayerAlias1794713500000 } from './1794713500000-create-player-alias.js';
import { CreateMoveoverPlayer1794713501000 } from './1794713501000-create-moveover-player.js';
import { CreateMoveoverChunk1794713502000 } from './1794713502000-create-moveover-chunk.js';
import { CreateMoveoverState1794713503000 } from './1794713503000-create-moveover-state.js';
import { CreateLoginEvent1794713600000 } from './1794713600000-create-login-event.js';
import { CreateAuditEvent1794713601000 } from './1794713601000-create-audit-event.js';
import { IndexGameAccount1794713602000 } from './1794713602000-index-game-account.js';
import { ServerRefusesNonsense1794713603000 } from './1794713603000-server-refuses-nonsense.js';
import { FoldGameAccount1794713700000 } from './1794713700000-fold-game-account.js';
import { UniqueGameAccount1794713701000 } from './1794713701000-unique-game-account.js';
import { IndexFoldedGameAccount1794713702000 } from './1794713702000-index-folded-game-account.js';
import { IndexMergedZones1794713703000 } from './1794713703000-index-merged-zones.js';
import { CreateOperator1794713800000 } from './1794713800000-create-operator.js';
import { CreateOperatorSession1794713801000 } from './1794713801000-create-operator-session.js';
import { CreateSettleRequest1794713810000 } from './1794713810000-create-settle-request.js';
import { IndexLoginEventPlayerTime1794713811000 } from './1794713811000-index-login-event-player-time.js';
import { IndexWithdrawCreatedAt1794713812000 } from './1794713812000-index-withdraw-created-at.js';
import { IndexWithdrawZone1794713813000 } from './1794713813000-index-withdraw-zone.js';
import { IndexAuditOperator1794713814000 } from './1794713814000-index-audit-operator.js';
import { IndexAuditAct1794713815000 } from './1794713815000-index-audit-act.js';
import { IndexAuditOperatorAct1794713816000 } from './1794713816000-index-audit-operator-act.js';
import { CreateMailEvent1794713850000 } from './1794713850000-create-mail-event.js';
import { IndexLoginEventRequest1794713890000 } from './1794713890000-index-login-event-request.js';

/** Every migration, oldest first. */
export const MIGRATIONS: NonNullable<DataSourceOptions['migrations']> = [
  CreateServer1794700800000,
  CreatePlayer1794700801000,
  CreateRegistrationDay1794703000000,
  CreateLoginAddress1794703001000,
  CreateVerify1794703002000,
  CreateChat1794704000000,
  CreateWithdraw1794705000000,
  CreatePlayerConnectThreeparty1794706000000,
  CreateUsedOnce1794706001000,
  ManyWriters1794710000000,
  WithdrawTarget1794711000000,
  AddChatReporter1794712000000,
  VerifyAsker1794713100000,
  CreateSession1794713300000,
  AddZoneGroup1794713400000,
  CreatePlayerZone1794713401000,
  CreatePlayerAlias1794713500000,
  CreateMoveoverPlayer1794713501000,
  CreateMoveoverChunk1794713502000,
  CreateMoveoverState1794713503000,
  CreateLoginEvent1794713600000,
  CreateAuditEvent1794713601000,
  IndexGameAccount1794713602000,
  ServerRefusesNonsense1794713603000,
  FoldGameAccount1794713700000,
  UniqueGameAccount1794713701000,
  IndexFoldedGameAccount1794713702000,
  IndexMergedZones1794713703000,
  CreateOperator1794713800000,
  CreateOperatorSession1794713801000,
  CreateSettleRequest1794713810000,
  IndexLoginEventPlayerTime1794713811000,
  IndexWithdrawCreatedAt1794713812000,
  IndexWithdrawZone1794713813000,
  IndexAuditOperator1794713814000,
  IndexAuditAct1794713815000,
  IndexAuditOperatorAct1794713816000,
  CreateMailEvent1794713850000,
  IndexLoginEventRequest1794713890000,
];
