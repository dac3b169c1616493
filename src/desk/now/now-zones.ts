import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OpenWork, type ZoneWork } from '../../zones/desk/open-work.js';
import { zoneProblem } from '../../zones/zone-problem.js';
import { Zone } from '../../zones/zone.entity.js';
import type { FailingZone, Now } from '../answers/now.js';

const MANY_FAILED = 3;

/** How the zones stand, in numbers, and those that need a look. */
@Injectable()
export class NowZones {
  constructor(
    @InjectRepository(Zone) private readonly zones: Repository<Zone>,
    private readonly work: OpenWork,
  ) {}

  async look(): Promise<Now['zones']> {
    const [zones, work] = await Promise.all([this.zones.find(), this.work.byZone()]);
    const used = zones.filter(({ status }) => status !== 'closed');
    const shut = used.filter(({ status }) => status === 'maintenance');
    return {
      open: used.length - shut.length,
      maintenance: shut.length,
      failing: used.flatMap((zone) => failing(zone, work.get(zone.id))),
    };
  }
}

function failing(zone: Zone, work: ZoneWork | undefined): FailingZone[] {
  const problem = zoneProblem(zone) ?? null;
  const { unknown = 0, failedLastHour: failed_last_hour = 0 } = work ?? {};
  if (problem === null && unknown === 0 && failed_last_hour < MANY_FAILED) return [];
  const why = problem === null ? 'withdrawals' : 'row';
  return [{ id: zone.id, name: zone.name, why, problem, unknown, failed_last_hour }];
}
