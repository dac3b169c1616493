import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { latestRows } from '../../database/latest-rows.js';
import { isDuplicate } from '../../database/database-errors.js';
import { inTransaction } from '../../database/transaction.js';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
import { subjectOfZone, zoneState } from '../zone-edits.js';
import { Zone, type ZoneStatus } from '../zone.entity.js';
import { MergeTooEarly } from './merge-too-early.js';
import { changeProblem, mergeProblem } from './zone-change.js';
import { OpenWork } from './open-work.js';

export type ZoneFields = Partial<Omit<Zone, 'mergedInto'>>;

const NEW: ZoneFields = {
  status: 'maintenance',
  sort: 0,
  openAt: null,
  gmAddress: null,
  gmPort: 8080,
  gmPath: '/gm',
  dbHost: null,
  dbPort: null,
  group: null,
  recommended: false,
};

export interface ZonePreview {
  zone: Zone;
  problem: string | undefined;
}

/** What operators do about zones. Each act is one transaction with its `audit_event`; nonsense is refused before. */
@Injectable()
export class ZoneActs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditBook,
    private readonly work: OpenWork,
  ) {}

  /** What a row would be, and what is wrong with it. Changes nothing. */
  async preview(id: number | undefined, fields: ZoneFields): Promise<ZonePreview> {
    const zones = await this.dataSource.manager.find(Zone);
    if (id === undefined) {
      const zone = newZone(fields);
      return { zone, problem: addProblem(zone, zones) };
    }
    const row = zoneOf(zones, id);
    const zone = changed(row, fields);
    return { zone, problem: changeProblem(zone, others(zones, row)) };
  }

  /** Shut in every way until it is opened, unless a status is given. */
  async add(who: Operator, fields: ZoneFields): Promise<Zone> {
    return this.act(async (manager, zones) => {
      const zone = newZone(fields);
      const problem = addProblem(zone, zones);
      if (problem) throw new ActRefused(`the zone is not added: ${problem}`);
      await manager.insert(Zone, zone);
      await this.write(manager, who, 'zone.add', undefined, zone);
      return zone;
    });
  }

  set(who: Operator, id: number, fields: ZoneFields): Promise<Zone> {
    return this.change(who, 'zone.set', id, fields);
  }

  /** `openAt` only where it is given: null is at once. */
  setStatus(who: Operator, id: number, status: ZoneStatus, openAt?: Date | null): Promise<Zone> {
    const act = status === 'maintenance' || status === 'closed' ? `zone.${status}` : 'zone.open';
    return this.change(who, act, id, openAt === undefined ? { status } : { status, openAt });
  }

  /**
   * Both in maintenance, and nothing open in either: only a person could settle that afterwards. A withdrawal is opened
   * with its zone's row held, and running: what was being opened came before the maintenance, and is seen here.
   */
  merge(who: Operator, id: number, into: number): Promise<Zone> {
    const both = [id, into];
    return this.act(async (manager, zones) => {
      const { open, running } = await this.openBefore(manager, zones, both);
      if (open.length > 0) throw new MergeTooEarly(open, running);
      return this.changeIn(manager, zones, { who, act: 'zone.merge', id }, { mergedInto: into });
    });
  }

  /** What stands in the way of a merge now. Changes nothing. */
  async beforeMerge(id: number, into: number) {
    const { manager } = this.dataSource;
    const zones = await manager.find(Zone);
    const zone = zoneOf(zones, id);
    const { open } = await this.openBefore(manager, zones, [id, into]);
    return {
      open,
      problem: mergeProblem(changed(zone, { mergedInto: into }), others(zones, zone)),
    };
  }

  /** What has to be done before a merge of these two, in words, and which of them still run. */
  private async openBefore(manager: EntityManager, zones: Zone[], both: number[]) {
    const running = zones.filter(
      ({ id, status }) => both.includes(id) && status !== 'maintenance' && status !== 'closed',
    );
    const unsettled = await this.work.openIn(manager, both);
    const open = running.map(
      ({ id, status }) => `zone ${id} is ${status}: it has to be in maintenance first`,
    );
    if (unsettled.length > 0)
      open.push(`settle these withdrawals first: ${unsettled.slice(0, 20).join(', ')}`);
    return { open, running: running.map(({ id }) => id) };
  }

  private change(who: Operator, act: string, id: number, fields: Partial<Zone>): Promise<Zone> {
    return this.act((manager, zones) => this.changeIn(manager, zones, { who, act, id }, fields));
  }

  private async changeIn(
    manager: EntityManager,
    zones: Zone[],
    { who, act, id }: { who: Operator; act: string; id: number },
    fields: Partial<Zone>,
  ): Promise<Zone> {
    const zone = zoneOf(zones, id);
    const next = changed(zone, fields);
    const problem = changeProblem(next, others(zones, zone));
    if (problem) throw new ActRefused(`zone ${id} is not changed: ${problem}`);
    await manager.save(Zone, next);
    await this.write(manager, who, act, zone, next);
    return next;
  }

  private async act<T>(step: (manager: EntityManager, zones: Zone[]) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.dataSource, async (manager) =>
        // All of them, locked: on one server the second of two merges at once sees the first.
        step(manager, await manager.find(Zone, latestRows(manager))),
      );
    } catch (error) {
      if (isDuplicate(error))
        throw new ActRefused('there is such a zone already', { cause: error });
      throw error;
    }
  }

  private write(
    manager: EntityManager,
    who: Operator,
    act: string,
    before: Zone | undefined,
    after: Zone,
  ) {
    return this.audit.write(manager, who, {
      act,
      subject: subjectOfZone(after.id),
      before: before ? zoneState(before) : null,
      after: zoneState(after),
    });
  }
}

function newZone(fields: ZoneFields): Zone {
  return Object.assign(new Zone(), NEW, { mergedInto: null }, fields);
}

function changed(zone: Zone, fields: Partial<Zone>): Zone {
  return Object.assign(new Zone(), zone, fields);
}

function zoneOf(zones: Zone[], id: number): Zone {
  const zone = zones.find((one) => one.id === id);
  if (!zone) throw new ActRefused(`there is no zone ${id}`);
  return zone;
}

function others(zones: Zone[], zone: Zone): Zone[] {
  return zones.filter((one) => one !== zone);
}

function addProblem(zone: Zone, zones: Zone[]): string | undefined {
  if (zones.some(({ id }) => id === zone.id)) return `there is a zone ${zone.id} already`;
  return changeProblem(zone, zones);
}
