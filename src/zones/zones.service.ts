import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { success } from '../http/answer/envelope.js';
import { type PreparedAnswer, prepareAnswer } from '../http/answer/prepared-answer.js';
import { Zone } from './zone.entity.js';
import { ZoneNotFound, ZoneUnavailable } from './zones.errors.js';
import { zoneProblem } from './zone-problem.js';
import { toZoneView } from './zone.view.js';

const FRESH_MS = 1000;

interface Snapshot {
  takenAt: number;
  zones: ReadonlyMap<number, Zone>;
  answer: PreparedAnswer;
}

/** The zones, read from the table at most once a second. */
@Injectable()
export class ZonesService {
  private readonly logger = new Logger(ZonesService.name);
  private snapshot?: Snapshot;
  private reading?: Promise<Snapshot>;
  private complaints = new Map<number, string>();
  private watcher?: (rows: Zone[]) => void;

  constructor(@InjectRepository(Zone) private readonly rows: Repository<Zone>) {}

  /** Is given every read of the table. */
  watch(watcher: (rows: Zone[]) => void): void {
    this.watcher = watcher;
  }

  /** The complete answer of `GET /api/server/list`, ready to send. */
  async preparedList(): Promise<PreparedAnswer> {
    return (await this.current()).answer;
  }

  /** A zone that players may see; undefined for a closed or invalid one. */
  async findOpen(id: number): Promise<Zone | undefined> {
    const zone = await this.find(id);
    return zone?.status === 'closed' ? undefined : zone;
  }

  /** Any valid zone, closed ones too. */
  async find(id: number): Promise<Zone | undefined> {
    return (await this.current()).zones.get(id);
  }

  /** The ids of zones that hold roles and are not closed, as they are in the table now. */
  async idsInUse(most: number): Promise<number[]> {
    const where = { status: Not('closed' as const), mergedInto: IsNull() };
    const zones = await this.rows.find({
      select: { id: true },
      where,
      order: { id: 'ASC' },
      take: most,
    });
    return zones.map(({ id }) => id);
  }

  /** A zone that is neither closed nor under maintenance; throws otherwise. */
  async getRunning(id: number): Promise<Zone> {
    const zone = await this.findOpen(id);
    if (!zone) throw new ZoneNotFound();
    if (zone.status === 'maintenance') throw new ZoneUnavailable();
    return zone;
  }

  /** A running zone whose opening time has passed; throws otherwise. */
  async getEnterable(id: number): Promise<Zone> {
    const zone = await this.getRunning(id);
    if (zone.openAt && zone.openAt.getTime() > Date.now()) throw new ZoneUnavailable();
    return zone;
  }

  private current(): Promise<Snapshot> | Snapshot {
    if (this.snapshot && performance.now() - this.snapshot.takenAt < FRESH_MS) return this.snapshot;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<Snapshot> {
    // Before the query: an edit made while it runs must not stay hidden for another second.
    const takenAt = performance.now();
    const rows = await this.rows.find({ order: { sort: 'ASC', id: 'ASC' } });
    this.watcher?.(rows);
    const sensible = this.leaveOutNonsense(rows);
    const zones = new Map(sensible.map((zone) => [zone.id, zone]));
    const answer = this.prepare(sensible.filter(({ status }) => status !== 'closed'));
    return (this.snapshot = { takenAt, zones, answer });
  }

  private leaveOutNonsense(rows: Zone[]): Zone[] {
    const complaints = new Map<number, string>();
    for (const row of rows) {
      const problem = zoneProblem(row);
      if (problem === undefined) continue;
      complaints.set(row.id, problem);
      if (this.complaints.get(row.id) !== problem)
        this.logger.error(`zone ${row.id} is left out: ${problem}`);
    }
    this.complaints = complaints;
    return rows.filter(({ id }) => !complaints.has(id));
  }

  private prepare(zones: Zone[]): PreparedAnswer {
    const bytes = Buffer.from(JSON.stringify(success({ servers: zones.map(toZoneView) })));
    return prepareAnswer(bytes, this.snapshot?.answer);
  }
}
