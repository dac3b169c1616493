import { Injectable } from '@nestjs/common';
import type { Zone } from '../../zones/zone.entity.js';
import { ZoneUnavailable } from '../../zones/zones.errors.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';
import type { GmAddress } from './gm-exchange.js';

const LONGEST_MERGE = 8;
// Each has its own lines in the metrics.
const MOST_WATCHED = 1000;

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

  /** The zones that hold roles and are not closed: those that can fail. */
  async watched(): Promise<number[]> {
    const zones = await this.zones.all();
    return zones
      .filter(({ status, mergedInto }) => status !== 'closed' && mergedInto === null)
      .slice(0, MOST_WATCHED)
      .map(({ id }) => id);
  }

  /** The zone that holds the roles of an order, whatever its status now. None once it was merged. */
  async ofOrder(zoneId: number): Promise<WithdrawalZone | undefined> {
    const zone = await this.zones.find(zoneId);
    return zone && zone.mergedInto === null ? toWithdrawalZone(zone) : undefined;
  }

  /**
   * Why an order cannot be asked for any more: only the game server that it was sent to knows it, and any other
   * would call it not applied.
   */
  async askingProblem(order: Withdrawal): Promise<string | undefined> {
    const { zoneId, gmHost, gmPort, gmPath } = order;
    if (gmHost === null) return 'it is not on record which game server it was sent to';
    const now = (await this.ofOrder(zoneId))?.gm;
    if (!now) return `zone ${zoneId} is gone or was merged`;
    if (now.host === gmHost && now.port === gmPort && now.path === gmPath) return undefined;
    return `it was sent to ${gmHost}:${gmPort}${gmPath}, but zone ${zoneId} names ${now.host}:${now.port}${now.path} now`;
  }
}

function toWithdrawalZone(zone: Zone): WithdrawalZone {
  const { id, address, gmAddress, gmPort, gmPath, dbHost, dbPort } = zone;
  return { id, dbHost, dbPort, gm: { host: gmAddress ?? address, port: gmPort, path: gmPath } };
}
