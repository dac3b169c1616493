import { CreateServers1794800000000 } from './1794800000000-create-servers.js';
import { CreatePlayers1794800001000 } from './1794800001000-create-players.js';
import { CreateVerify1794800002000 } from './1794800002000-create-verify.js';
import { CreateSessions1794800003000 } from './1794800003000-create-sessions.js';
import { CreateLinks1794800004000 } from './1794800004000-create-links.js';
import { CreateWithdrawals1794800005000 } from './1794800005000-create-withdrawals.js';
import { CreateChat1794800006000 } from './1794800006000-create-chat.js';
import { CreateAudit1794800007000 } from './1794800007000-create-audit.js';
import { CreateOperators1794800008000 } from './1794800008000-create-operators.js';
import { CreateImport1794800009000 } from './1794800009000-create-import.js';
import { CreateSecondFactors1794800010000 } from './1794800010000-create-second-factors.js';
import type { Migration } from './dialect.js';

/** Every migration, oldest first. */
export const MIGRATIONS: Array<new () => Migration> = [
  CreateServers1794800000000,
  CreatePlayers1794800001000,
  CreateVerify1794800002000,
  CreateSessions1794800003000,
  CreateLinks1794800004000,
  CreateWithdrawals1794800005000,
  CreateChat1794800006000,
  CreateAudit1794800007000,
  CreateOperators1794800008000,
  CreateImport1794800009000,
  CreateSecondFactors1794800010000,
];
