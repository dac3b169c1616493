import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Server } from './server.entity.js';
import { ServerNotFound, ServerUnavailable } from './servers.errors.js';
import { zoneProblem } from './zone-sense.js';
import { toZoneView } from './zone-view.js';

const FRESH_MS = 1000;

interface Snapshot {
  takenAt: number;
  zones: ReadonlyMap<number, Server>;
  answer: PreparedAnswer;
}

export interface PreparedAnswer {
  bytes: Buffer;
  etag: string;
}

/** The zones as they stand in the table, read at most once a second however many ask. */
@Injectable()
export class ServersService {
  private readonly logger = new Logger(ServersService.name);
  private snapshot?: Snapshot;
  private reading?: Promise<Snapshot>;
  private complaints = new Map<number, string>();

  constructor(@InjectRepository(Server) private readonly servers: Repository<Server>) {}

  /** The whole success answer of the zone list, closed zones left out. */
  async preparedList(): Promise<PreparedAnswer> {
    return (await this.current()).answer;
  }

  /** A zone that players may know of: undefined when there is none, when it is closed, or when its row makes no sense. */
  async findOpen(id: number): Promise<Server | undefined> {
    const server = await this.find(id);
    return server?.status === 'closed' ? undefined : server;
  }

  /** A zone that is not under maintenance, which anything done in it needs; refuses with the reason otherwise. */
  async getRunning(id: number): Promise<Server> {
    const server = await this.findOpen(id);
    if (!server) throw new ServerNotFound();
    if (server.status === 'maintenance') throw new ServerUnavailable();
    return server;
  }

  /** A zone that players may enter now: running, and past its opening. */
  async getEnterable(id: number): Promise<Server> {
    const server = await this.getRunning(id);
    if (server.openAt && server.openAt.getTime() > Date.now()) throw new ServerUnavailable();
    return server;
  }

  /** The same for our own work, which a closed zone may still need. */
  async find(id: number): Promise<Server | undefined> {
    return (await this.current()).zones.get(id);
  }

  private current(): Promise<Snapshot> | Snapshot {
    if (this.snapshot && performance.now() - this.snapshot.takenAt < FRESH_MS) return this.snapshot;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<Snapshot> {
    // Taken before the query: an edit that lands while it runs must not hide for a second more.
    const takenAt = performance.now();
    const rows = await this.servers.find({ order: { sort: 'ASC', id: 'ASC' } });
    const sensible = this.leaveOutNonsense(rows);
    const zones = new Map(sensible.map((server) => [server.id, server]));
    const answer = prepare(sensible.filter(({ status }) => status !== 'closed'));
    return (this.snapshot = { takenAt, zones, answer });
  }

  private leaveOutNonsense(rows: Server[]): Server[] {
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
}

function prepare(servers: Server[]): PreparedAnswer {
  const data = { servers: servers.map(toZoneView) };
  const bytes = Buffer.from(JSON.stringify({ code: 0, message: 'ok', data }));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag };
}
