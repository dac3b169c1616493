import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { InvalidRequest } from '../../http/errors/http.errors.js';
import { LARGEST_INT } from '../../http/validation/field-rules.js';
import { ActRefused } from '../../journal/act-refused.js';
import { OpenWork } from '../../zones/desk/open-work.js';
import { ZoneActs } from '../../zones/desk/zone-acts.js';
import { changeProblem } from '../../zones/desk/zone-change.js';
import { readZoneFields } from '../../zones/desk/zone-fields.dto.js';
import { zoneState } from '../../zones/zone-edits.js';
import { Zone } from '../../zones/zone.entity.js';
import type { DeskOperator } from '../access/role.js';
import type { MergePreview, ZoneList, ZonePreview, ZoneResult } from '../answers/zones.js';
import { toRowView, toSeen } from './zone.view.js';
import type { StatusDto } from './zones.dto.js';

const MOST_AT_ONCE = 1000;

/** What the desk shows and does about zones. */
@Injectable()
export class DeskZonesService {
  constructor(
    @InjectRepository(Zone) private readonly zones: Repository<Zone>,
    private readonly acts: ZoneActs,
    private readonly work: OpenWork,
  ) {}

  async list(): Promise<ZoneList> {
    const zones = await this.zones.find({ order: { sort: 'ASC', id: 'ASC' } });
    const work = await this.work.byZone();
    return {
      zones: zones.map((zone) =>
        toRowView(
          zone,
          changeProblem(
            zone,
            zones.filter((other) => other !== zone),
          ),
          work.get(zone.id),
        ),
      ),
    };
  }

  async preview(id: number | undefined, fields: unknown): Promise<ZonePreview> {
    const { zone, problem } = await this.acts.preview(id, await readZoneFields(fields));
    return { problem: problem ?? null, seen: problem === undefined ? toSeen(zone) : null };
  }

  async add({ name: by }: DeskOperator, fields: unknown, note: string) {
    return { row: zoneState(await this.acts.add({ by, note }, await readZoneFields(fields))) };
  }

  async set({ name: by }: DeskOperator, id: number, fields: unknown, note: string) {
    const { id: another, ...changes } = await readZoneFields(fields);
    if (another !== undefined && another !== id)
      throw new ActRefused('the id of a zone cannot be changed');
    if (Object.keys(changes).length === 0)
      throw new InvalidRequest([{ field: 'fields', message: 'must say what to change' }]);
    return { row: zoneState(await this.acts.set({ by, note }, id, changes)) };
  }

  /** Each by itself, with its own result: one that is refused keeps no other from its maintenance. */
  async setStatus({ name: by }: DeskOperator, given: unknown, { status, openAt, note }: StatusDto) {
    const opens = openAt === undefined ? undefined : openAt === 'now' ? null : new Date(openAt);
    const results: ZoneResult[] = [];
    for (const id of idsOf(given)) {
      try {
        await this.acts.setStatus({ by, note }, id, status, opens);
        results.push({ id, done: true, problem: null });
      } catch (error) {
        if (!(error instanceof ActRefused)) throw error;
        results.push({ id, done: false, problem: error.message });
      }
    }
    return { results };
  }

  /** What has to be done before, and what forbids it altogether. */
  async beforeMerge(id: number, into: number): Promise<MergePreview> {
    const { open, problem } = await this.acts.beforeMerge(id, into);
    return { open, problem: problem ?? null };
  }

  async merge({ name: by }: DeskOperator, id: number, into: number, note: string) {
    return { row: zoneState(await this.acts.merge({ by, note }, id, into)) };
  }
}

function idsOf(given: unknown): Set<number> {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MOST_AT_ONCE;
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= LARGEST_INT;
  if (!isList || !given.every(isId))
    throw new InvalidRequest([{ field: 'ids', message: `must be 1 to ${MOST_AT_ONCE} ids` }]);
  return new Set(given as number[]);
}
