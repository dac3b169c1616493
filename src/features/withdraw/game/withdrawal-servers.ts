import { Injectable } from '@nestjs/common';
import type { GameServer } from '../../servers/game-server.entity.js';
import { ServerUnavailable } from '../../servers/servers.errors.js';
import { ServersService } from '../../servers/servers.service.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';
import type { GmAddress } from './gm-exchange.js';

const MAX_MERGE_STEPS = 8;
// Each has separate series in the metrics.
const MAX_MONITORED = 1000;

/** Where a role of a server lives: for a merged server, the game database and GM interface of the server it was merged into. */
export interface WithdrawalServer {
  id: number;
  dbHost: string | null;
  dbPort: number | null;
  gm: GmAddress;
}

@Injectable()
export class WithdrawalServers {
  constructor(private readonly servers: ServersService) {}

  /** The server that a player may withdraw from now. */
  async getWithdrawable(serverId: number): Promise<WithdrawalServer> {
    let id = serverId;
    for (let step = 0; step < MAX_MERGE_STEPS; step++) {
      const server = await this.servers.getRunning(id);
      if (server.mergedInto === null) return toWithdrawalServer(server);
      id = server.mergedInto;
    }
    throw new ServerUnavailable();
  }

  async exists(id: number): Promise<boolean> {
    return (await this.servers.find(id)) !== undefined;
  }

  /** The servers that can fail. */
  findMonitoredIds(): Promise<number[]> {
    return this.servers.findActiveIds(MAX_MONITORED);
  }

  /** The server that holds the roles of an order, whatever its current status. None once it was merged. */
  async findForOrder(roleServerId: number): Promise<WithdrawalServer | undefined> {
    const server = await this.servers.find(roleServerId);
    return server && server.mergedInto === null ? toWithdrawalServer(server) : undefined;
  }

  /**
   * Why an order can no longer be queried: only the game server that received it knows it; any other would answer "not
   * applied".
   */
  async findQueryProblem(order: Withdrawal): Promise<string | undefined> {
    const { roleServerId, gmHost, gmPort, gmPath } = order;
    if (gmHost === null) return 'it is not on record which game server it was sent to';
    const now = (await this.findForOrder(roleServerId))?.gm;
    if (!now) return `server ${roleServerId} is gone or was merged`;
    if (now.host === gmHost && now.port === gmPort && now.path === gmPath) return undefined;
    return `it was sent to ${gmHost}:${gmPort}${gmPath}, but server ${roleServerId} names ${now.host}:${now.port}${now.path} now`;
  }
}

function toWithdrawalServer(server: GameServer): WithdrawalServer {
  const { id, address, gmAddress, gmPort, gmPath, dbHost, dbPort } = server;
  // An empty column counts as absent. Host names ignore case, but orders are compared byte for byte.
  const host = (gmAddress || address).toLowerCase();
  return { id, dbHost: dbHost || null, dbPort, gm: { host, port: gmPort, path: gmPath } };
}
