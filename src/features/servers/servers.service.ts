import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThanOrEqual, Not, Repository } from 'typeorm';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import {
  type PreparedResponse,
  prepareResponse,
} from '../../platform/http/response/prepared-response.js';
import { toEnvelope } from '../../platform/http/response/send-json.js';
import { GameServer, type ServedServer, toServedServer } from './game-server.entity.js';
import { validateServer } from './server-validation.js';
import { toServerView } from './server.view.js';

const FRESH_MS = 1000;

export class ServerNotFound extends AppError {
  constructor() {
    super('server_not_found', 'There is no such server.');
  }
}

export class ServerUnavailable extends AppError {
  constructor() {
    super('server_unavailable', 'This server is not available right now.');
  }
}

interface Snapshot {
  takenAt: number;
  servers: ReadonlyMap<number, ServedServer>;
  answer: PreparedResponse;
}

/** Reads the servers from the table at most once a second. */
@Injectable()
export class ServersService {
  private readonly logger = new Logger(ServersService.name);
  private snapshot?: Snapshot;
  private reading?: Promise<Snapshot>;
  private problems = new Map<number, string>();

  constructor(@InjectRepository(GameServer) private readonly rows: Repository<GameServer>) {}

  async preparedList(): Promise<PreparedResponse> {
    return (await this.current()).answer;
  }

  /** Finds a valid server, even a closed one. */
  async find(id: number): Promise<ServedServer | undefined> {
    return (await this.current()).servers.get(id);
  }

  /**
   * Returns the ids of servers that are not closed, merged or scheduled for later. Reads the table itself, because the
   * snapshot may be a second old.
   */
  async findActiveIds(limit: number): Promise<number[]> {
    const servers = await this.rows.find({
      select: { id: true },
      where: [
        { status: Not(In(['closed', 'scheduled'])), mergedInto: IsNull() },
        { status: 'scheduled', openAt: LessThanOrEqual(currentDate()), mergedInto: IsNull() },
      ],
      order: { id: 'ASC' },
      take: limit,
    });
    return servers.map(({ id }) => id);
  }

  /** Throws unless the server is open and not under maintenance. */
  async getRunning(id: number): Promise<ServedServer> {
    const server = await this.find(id);
    if (!server || server.status === 'closed') throw new ServerNotFound();
    if (server.status === 'maintenance') throw new ServerUnavailable();
    return server;
  }

  /** Throws unless the server is running and its opening time has passed. */
  async getEnterable(id: number): Promise<ServedServer> {
    const server = await this.getRunning(id);
    if (server.openAt && server.openAt.getTime() > currentTime()) throw new ServerUnavailable();
    return server;
  }

  private current(): Promise<Snapshot> | Snapshot {
    if (this.snapshot && performance.now() - this.snapshot.takenAt < FRESH_MS) return this.snapshot;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<Snapshot> {
    // The time is taken before the query, so that an edit made during the query becomes visible within a second.
    const takenAt = performance.now();
    const rows = await this.rows.find({ order: { sort: 'ASC', id: 'ASC' } });
    const valid = this.excludeInvalid(rows).map(toServedServer);
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

  private prepare(servers: ServedServer[]): PreparedResponse {
    const bytes = Buffer.from(JSON.stringify(toEnvelope({ servers: servers.map(toServerView) })));
    return prepareResponse(bytes, this.snapshot?.answer);
  }
}
