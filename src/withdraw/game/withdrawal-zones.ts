import { Injectable } from '@nestjs/common';
import type { Zone } from '../../zones/zone.entity.js';
import { ZoneUnavailable } from '../../zones/zones.errors.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { GmAddress } from './gm-client.js';

const LONGEST_MERGE = 8;

/** Where a role of a zone lives: for a merged zone, the database and game server of the one it was merged into. */
export interface WithdrawalZone {
  id: number;
  dbHost: string | null;
  dbPort: number | null;
  gm: GmAddress;
}

@Injectable()
export class WithdrawalZones {
  constructor(private readonly zones: ZonesService) {}

  /** The zone that a player may withdraw from now. */
  async getWithdrawable(serverId: number): Promise<WithdrawalZone> {
    let id = serverId;
    for (let step = 0; step < LONGEST_MERGE; step++) {
      const zone = await this.zones.getRunning(id);
      if (zone.mergedInto === null) return toWithdrawalZone(zone);
      id = zone.mergedInto;
    }
    throw new ZoneUnavailable();
  }

  /**
   * The zone that an order was sent to, whatever its status now. None once it was merged: the game server
   * of the other zone need not know its orders, and would call them not applied.
   */
  async ofOrder(zoneId: number): Promise<WithdrawalZone | undefined> {
    const zone = await this.zones.find(zoneId);
    return zone && zone.mergedInto === null ? toWithdrawalZone(zone) : undefined;
  }
}

function toWithdrawalZone(zone: Zone): WithdrawalZone {
  const { id, address, gmAddress, gmPort, gmPath, dbHost, dbPort } = zone;
  return { id, dbHost, dbPort, gm: { host: gmAddress ?? address, port: gmPort, path: gmPath } };
}
