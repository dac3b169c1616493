import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { toEnvelope } from '../../platform/http/response/envelope.js';
import {
  type PreparedResponse,
  prepareResponse,
} from '../../platform/http/response/prepared-response.js';
import { GameServer } from './game-server.entity.js';
import { ServerNotFound, ServerUnavailable } from './servers.errors.js';
import { validateServer } from './server-validation.js';
import { toServerView } from './server.view.js';

const FRESH_MS = 1000;

interface Snapshot {
  takenAt: number;
  servers: ReadonlyMap<number, GameServer>;
  answer: PreparedResponse;
}

/** The servers, read from the table at most once a second. */
@Injectable()
export class ServersService {
  private readonly logger = new Logger(ServersService.name);
  private snapshot?: Snapshot;
  private reading?: Promise<Snapshot>;
  private problems = new Map<number, string>();

  constructor(@InjectRepository(GameServer) private readonly rows: Repository<GameServer>) {}

  /** The complete answer of `GET /api/server/list`, ready to send. */
  async preparedList(): Promise<PreparedResponse> {
    return (await this.current()).answer;
  }

  /** A server that players may see; undefined for a closed or invalid one. */
  async findVisible(id: number): Promise<GameServer | undefined> {
    const server = await this.find(id);
    return server?.status === 'closed' ? undefined : server;
  }

  /** Any valid server, closed ones too. */
  async find(id: number): Promise<GameServer | undefined> {
    return (await this.current()).servers.get(id);
  }

  /** The ids of servers that hold roles and are not closed, as they are in the table now. */
  async findActiveIds(limit: number): Promise<number[]> {
    const where = { status: Not('closed' as const), mergedInto: IsNull() };
    const servers = await this.rows.find({
      select: { id: true },
      where,
      order: { id: 'ASC' },
      take: limit,
    });
    return servers.map(({ id }) => id);
  }

  /** A server that is neither closed nor under maintenance; throws otherwise. */
  async getRunning(id: number): Promise<GameServer> {
    const server = await this.findVisible(id);
    if (!server) throw new ServerNotFound();
    if (server.status === 'maintenance') throw new ServerUnavailable();
    return server;
  }

  /** A running server whose opening time has passed; throws otherwise. */
  async getEnterable(id: number): Promise<GameServer> {
    const server = await this.getRunning(id);
    if (server.openAt && server.openAt.getTime() > Date.now()) throw new ServerUnavailable();
    return server;
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
    const valid = this.excludeInvalid(rows);
    const servers = new Map(valid.map((server) => [server.id, server]));
    const answer = this.prepare(valid.filter(({ status }) => status !== 'closed'));
    return (this.snapshot = { takenAt, servers, answer });
  }

  private excludeInvalid(rows: GameServer[]): GameServer[] {
    const problems = new Map<number, string>();
    for (const row of rows) {
      const problem = validateServer(row);
      if (problem === undefined) continue;
      problems.set(row.id, problem);
      if (this.problems.get(row.id) !== problem)
        this.logger.error(`server ${row.id} is left out: ${problem}`);
    }
    this.problems = problems;
    return rows.filter(({ id }) => !problems.has(id));
  }

  private prepare(servers: GameServer[]): PreparedResponse {
    const bytes = Buffer.from(JSON.stringify(toEnvelope({ servers: servers.map(toServerView) })));
    return prepareResponse(bytes, this.snapshot?.answer);
  }
}
