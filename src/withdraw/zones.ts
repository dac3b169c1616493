import { Injectable } from '@nestjs/common';
import { ServerNotFound, ServerUnavailable } from '../servers/servers.errors.js';
import { ServersService } from '../servers/servers.service.js';
import type { GmAddress } from './gm-client.js';

const LONGEST_MERGE = 8;

/** Where a role of a zone lives: for a merged zone, the database and game server of the one it was merged into. */
export interface Zone {
  id: number;
  dbHost: string | null;
  dbPort: number | null;
  gm: GmAddress;
}

@Injectable()
export class Zones {
  constructor(private readonly servers: ServersService) {}

  /** The zone that a player may withdraw from now. */
  async open(serverId: number): Promise<Zone> {
    let id = serverId;
    for (let step = 0; step < LONGEST_MERGE; step++) {
      const server = await this.servers.findOpen(id);
      if (!server) throw new ServerNotFound();
      if (server.status === 'maintenance') throw new ServerUnavailable();
      if (server.mergedInto === null) return toZone(server);
      id = server.mergedInto;
    }
    throw new ServerUnavailable();
  }

  /**
   * The zone that an order was sent to, whatever its status now. None once it was merged: the game server
   * of the other zone need not know its orders, and would call them not applied.
   */
  async ofOrder(zoneId: number): Promise<Zone | undefined> {
    const server = await this.servers.find(zoneId);
    return server && server.mergedInto === null ? toZone(server) : undefined;
  }
}

type Server = NonNullable<Awaited<ReturnType<ServersService['find']>>>;

function toZone({ id, address, gmAddress, gmPort, gmPath, dbHost, dbPort }: Server): Zone {
  return { id, dbHost, dbPort, gm: { host: gmAddress ?? address, port: gmPort, path: gmPath } };
}
