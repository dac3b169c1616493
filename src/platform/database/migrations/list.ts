import { CreateServers } from './1794800000000-create-servers.js';
import { CreatePlayers } from './1794800001000-create-players.js';
import { CreateVerify } from './1794800002000-create-verify.js';
import { CreateSessions } from './1794800003000-create-sessions.js';
import { CreateLinks } from './1794800004000-create-links.js';
import { CreateWithdrawals } from './1794800005000-create-withdrawals.js';
import { CreateChat } from './1794800006000-create-chat.js';
import { CreateAudit } from './1794800007000-create-audit.js';
import { CreateOperators } from './1794800008000-create-operators.js';
import { CreateImport } from './1794800009000-create-import.js';
import { CreateSecondFactors } from './1794800010000-create-second-factors.js';
import type { Migration } from './dialect.js';

/** Every migration, oldest first. */
export const MIGRATIONS: Array<new () => Migration> = [
  CreateServers,
  CreatePlayers,
  CreateVerify,
  CreateSessions,
  CreateLinks,
  CreateWithdrawals,
  CreateChat,
  CreateAudit,
  CreateOperators,
  CreateImport,
  CreateSecondFactors,
];
