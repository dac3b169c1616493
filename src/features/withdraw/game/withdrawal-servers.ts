import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { GameServer } from '../../servers/game-server.entity.js';
import { ServerUnavailable, ServersService } from '../../servers/servers.service.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const MAX_MERGE_STEPS = 8;
// The number is limited, because each monitored server has its own time series in the metrics.
const MAX_MONITORED = 1000;

const FAILURES = ['database', 'not_reached', 'unknown'] as const;

export interface GmAddress {
  host: string;
  port: number;
  path: string;
}

/** Describes where a server's roles are stored. A merged server's roles are on the server that it was merged into. */
export interface WithdrawalServer {
  id: number;
  dbHost: string | null;
  dbPort: number | null;
  gm: GmAddress;
}

@Injectable()
export class WithdrawalServers {
  constructor(private readonly servers: ServersService) {}

  /** Follows merges to the server from which a player may withdraw now. Throws if there is none. */
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

  findMonitoredIds(): Promise<number[]> {
    return this.servers.findActiveIds(MAX_MONITORED);
  }

  /** Finds the server that holds the roles of an order, whatever its status. Returns undefined for a merged server. */
  async findForOrder(roleServerId: number): Promise<WithdrawalServer | undefined> {
    const server = await this.servers.find(roleServerId);
    return server && server.mergedInto === null ? toWithdrawalServer(server) : undefined;
  }

  /**
   * Returns the reason if an order can no longer be queried. Only the game server that received the order knows the
   * outcome, and any other server would report "not applied".
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
  // An empty column counts as missing. Host names are case-insensitive, but those in orders are compared byte for byte.
  const host = (gmAddress || address).toLowerCase();
  return { id, dbHost: dbHost || null, dbPort, gm: { host, port: gmPort, path: gmPath } };
}

@Injectable()
export class ServerFailureMetrics {
  private readonly total: Counter<'server' | 'failure'>;

  constructor({ registry }: Metrics) {
    this.total = new Counter({
      name: 'gatehouse_game_server_failures_total',
      help: 'Failed calls to the game database or GM interface of a server: database (not readable), not_reached (nothing was sent to the game server) or unknown (no clear answer)',
      labelNames: ['server', 'failure'],
      registers: [registry],
    });
  }

  /** Starts each series at 0, so that the first failure shows as an increase. */
  initialize(servers: number[]): void {
    for (const server of servers)
      for (const failure of FAILURES) this.total.inc({ server, failure }, 0);
  }

  count(server: number, failure: (typeof FAILURES)[number]): void {
    this.total.inc({ server, failure });
  }
}
