import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  ACT_OPTIONS,
  type Arguments,
  operatorOf,
  understand,
  wholeOf,
} from '../../command/arguments.js';
import { CommandRefused, type Report, UsageError } from '../../command/command.js';
import { askBefore } from '../../command/consent.js';
import { AuditBook } from '../../journal/audit-book.js';
import { changeProblem } from '../desk/zone-change.js';
import { OpenWork } from '../desk/open-work.js';
import { MergeTooEarly } from '../desk/merge-too-early.js';
import { ZoneActs } from '../desk/zone-acts.js';
import { subjectOfZone, zoneState } from '../zone-edits.js';
import { Zone, type ZoneStatus } from '../zone.entity.js';
import { FIELD_OPTIONS, fieldsOf, timeOf } from './zone-fields.js';
import { zoneReport, zonesReport } from './zone-report.js';

const FEW = 20;
const OPEN_STATUSES = ['new', 'normal', 'busy', 'full'];

export const OPTIONS = [...ACT_OPTIONS, ...FIELD_OPTIONS, 'at', 'as', 'into'];

export const USAGE = `gatehouse zone list                                    with what is open and what failed in the last hour
gatehouse zone show <id>                               its row, open withdrawals, and who changed it
                                                       (whether its database and game server answer: gatehouse check --zone <id>)

gatehouse zone add --id 12 --name "Dragon Valley" --address s12.game.example --port 7012 [--gm-address 10.0.0.12 …]
                                                       listed, and shut until it is opened
gatehouse zone set <id> [--name …] [--address …] [--port …] [--sort …] [--gm-address …] [--gm-port …] [--gm-path …]
                                                       [--db-host …] [--db-port …] [--group …] [--recommended yes|no]; "none" for the default
gatehouse zone open <id> [--as new|normal|busy|full] [--at "2026-12-01 10:00"|now]
gatehouse zone maintenance <id>
gatehouse zone close <id>                              gone for players; the row stays
gatehouse zone merge <id> --into <id>                  says what still stands open; both have to be in maintenance
Each of these needs --by <your name> --note <why>, says what it will do, and asks unless --yes.
An edit shows on every instance within 2 seconds. --json prints JSON. Times are UTC.

Examples
  gatehouse zone list
  gatehouse zone maintenance 12 --by anna --note "new hardware"
  gatehouse zone open 12 --as new --at "2026-12-01 10:00" --by anna --note "launch" --yes`;

/** What people do about zones on a terminal. */
@Injectable()
export class ZoneTerminal {
  constructor(
    @InjectRepository(Zone) private readonly zones: Repository<Zone>,
    private readonly acts: ZoneActs,
    private readonly work: OpenWork,
    private readonly audit: AuditBook,
  ) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const given = understand(args, OPTIONS);
    return { ...(await this.answer(given)), json: given.json };
  }

  private answer(given: Arguments): Promise<Report> {
    const [command, which, ...more] = given.words;
    if (command === undefined) throw new UsageError('say what to do');
    if (command === 'list' && which === undefined) return this.list();
    if (command === 'add' && which === undefined) return this.add(given);
    if (which === undefined || more.length > 0) throw new UsageError('not understood');
    const id = wholeOf(which, 'id of a zone');
    if (command === 'show') return this.show(id);
    if (command === 'set') return this.set(id, given);
    if (command === 'open') return this.open(id, given);
    if (command === 'maintenance')
      return this.status(id, 'maintenance', 'nobody enters, registers or withdraws there', given);
    if (command === 'close') return this.status(id, 'closed', 'it is gone for players', given);
    if (command === 'merge') return this.merge(id, given);
    throw new UsageError(`there is no "zone ${command}"`);
  }

  private async list(): Promise<Report> {
    const zones = await this.zones.find({ order: { sort: 'ASC', id: 'ASC' } });
    const work = await this.work.byZone();
    const data = zones.map((zone) => ({ ...zoneState(zone), withdrawals: work.get(zone.id) }));
    return { text: zonesReport(zones, work), data };
  }

  private async show(id: number): Promise<Report> {
    const zone = await this.find(id);
    const others = (await this.zones.find()).filter((other) => other.id !== id);
    const problem = changeProblem(zone, others);
    const open = await this.work.openIn(this.zones.manager, [id]);
    const acts = await this.audit.of(subjectOfZone(id), FEW);
    const data = { zone: zoneState(zone), problem, open, acts };
    return { text: zoneReport(zone, problem, open, acts), data };
  }

  private async add(given: Arguments): Promise<Report> {
    const fields = await fieldsOf(given.texts);
    const who = operatorOf(given);
    await askBefore(`This adds the zone ${fields.name}, shut until it is opened.`, given);
    const zone = await this.acts.add(who, fields);
    return done(zone, `Added: zone ${zone.id} ${zone.name}, ${zone.status}`);
  }

  private async set(id: number, given: Arguments): Promise<Report> {
    const fields = await fieldsOf(given.texts);
    if (Object.keys(fields).length === 0) throw new UsageError('say what to set');
    if (fields.id !== undefined) throw new UsageError('the id of a zone cannot be changed');
    const who = operatorOf(given);
    const zone = await this.find(id);
    const now: Record<string, unknown> = zoneState(Object.assign(new Zone(), zone, fields));
    const changes = Object.entries(zoneState(zone))
      .filter(([column, value]) => value !== now[column])
      .map(([column, value]) => `${column} from ${String(value)} to ${String(now[column])}`);
    if (changes.length === 0) throw new CommandRefused(`zone ${id} is like that already`);
    await askBefore(`This changes ${changes.join(', ')} of zone ${id} ${zone.name}.`, given);
    return done(await this.acts.set(who, id, fields), `Changed: ${changes.join(', ')}`);
  }

  private open(id: number, given: Arguments): Promise<Report> {
    const { as = 'normal', at } = given.texts;
    if (!OPEN_STATUSES.includes(as))
      throw new UsageError(`--as is one of ${OPEN_STATUSES.join(', ')}`);
    const openAt = at === undefined ? undefined : at === 'now' ? null : timeOf(at, 'at');
    const then = openAt ? `players enter from ${openAt.toISOString()} on` : 'players enter';
    return this.status(id, as as ZoneStatus, then, given, openAt);
  }

  private async status(
    id: number,
    status: ZoneStatus,
    then: string,
    given: Arguments,
    openAt?: Date | null,
  ): Promise<Report> {
    const who = operatorOf(given);
    const zone = await this.find(id);
    const what = `zone ${id} ${zone.name} goes from ${zone.status} to ${status}: ${then}`;
    await askBefore(`${what[0]!.toUpperCase()}${what.slice(1)}.`, given);
    return done(await this.acts.setStatus(who, id, status, openAt), `Done: ${what}`);
  }

  private async merge(id: number, given: Arguments): Promise<Report> {
    const into = wholeOf(given.texts.into, 'id of a zone, for --into');
    const who = operatorOf(given);
    await askBefore(
      `This merges zone ${id} into zone ${into}: withdrawals of ${id} look into the game database of ${into} from now on. ` +
        `The roles have to be there already.`,
      given,
    );
    const zone = await this.acts.merge(who, id, into).catch(nameTheCommands);
    const next = `Open both when the roles are moved: gatehouse zone open ${id}, gatehouse zone open ${into}`;
    return done(zone, `Merged. ${next}`);
  }

  private async find(id: number): Promise<Zone> {
    const zone = await this.zones.findOneBy({ id });
    if (!zone) throw new CommandRefused(`there is no zone ${id}`);
    return zone;
  }
}

function nameTheCommands(error: unknown): never {
  if (!(error instanceof MergeTooEarly) || error.running.length === 0) throw error;
  const commands = error.running.map((id) => `gatehouse zone maintenance ${id}`);
  throw new CommandRefused(`${error.message} (${commands.join(', ')})`, { cause: error });
}

function done(zone: Zone, text: string): Report {
  return { text: `${text}.`, data: zoneState(zone) };
}
