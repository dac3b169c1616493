import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { MAX_INT } from '../../../platform/http/validation/field-rules.js';
import { ActionRefused } from '../../actions/action-refused.js';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { FourEyesServerChange } from '../../actions/servers/four-eyes-server-change.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { readServerFields } from '../../actions/servers/server-fields.dto.js';
import { serverAuditState } from '../../../features/servers/server-edits.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type {
  MergePreview,
  ServerChangeResult,
  ServerList,
  ServerPreviewResponse,
  ServerResult,
} from '../responses/servers.js';
import { toChangeResult, toPublicServerView, toRequestView, toRowView } from './server.view.js';
import type { StatusDto } from './servers.dto.js';

const MAX_IDS = 1000;

/** Servers, for the desk. */
@Injectable()
export class DeskServersService {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly actions: ServerActions,
    private readonly fourEyes: FourEyesServerChange,
    private readonly openWork: ServerWithdrawalStats,
  ) {}

  async list(): Promise<ServerList> {
    const servers = await this.servers.find({ order: { sort: 'ASC', id: 'ASC' } });
    const work = await this.openWork.countByServer();
    const requests = await this.fourEyes.findRequests();
    return {
      requests: requests.map((request) => toRequestView(request, servers)),
      servers: servers.map((server) =>
        toRowView(server, this.actions.problemOf(server, servers), work.get(server.id)),
      ),
    };
  }

  async preview(id: number | undefined, fields: unknown): Promise<ServerPreviewResponse> {
    const { server, problem, columns } = await this.actions.preview(
      id,
      await readServerFields(fields),
    );
    return {
      problem: problem ?? null,
      columns,
      seen: problem === undefined ? toPublicServerView(server) : null,
    };
  }

  async add(
    { name: by }: DeskOperator,
    fields: unknown,
    note: string,
  ): Promise<ServerChangeResult> {
    return toChangeResult(await this.fourEyes.add({ by, note }, await readServerFields(fields)));
  }

  async set(
    { name: by }: DeskOperator,
    id: number,
    fields: unknown,
    note: string,
  ): Promise<ServerChangeResult> {
    const { id: another, ...changes } = await readServerFields(fields);
    if (another !== undefined && another !== id)
      throw new ActionRefused('the id of a server cannot be changed');
    if (Object.keys(changes).length === 0)
      throw new InvalidRequest([{ field: 'fields', message: 'must say what to change' }]);
    return toChangeResult(await this.fourEyes.update({ by, note }, id, changes));
  }

  async cancel({ name: by }: DeskOperator, id: number, note: string): Promise<void> {
    await this.fourEyes.cancel({ by, note }, id);
  }

  /** Each with its own result: a refused one does not prevent the others' maintenance. */
  async setStatus({ name: by }: DeskOperator, given: unknown, { status, openAt, note }: StatusDto) {
    const opens = openAt === undefined ? undefined : openAt === 'now' ? null : new Date(openAt);
    const results: ServerResult[] = [];
    for (const id of parseIds(given)) {
      try {
        await this.actions.setStatus({ by, note }, id, status, opens);
        results.push({ id, done: true, problem: null });
      } catch (error) {
        if (!(error instanceof ActionRefused)) throw error;
        results.push({ id, done: false, problem: error.message });
      }
    }
    return { results };
  }

  /** What must be done first, and what forbids it altogether. */
  async previewMerge(id: number, into: number): Promise<MergePreview> {
    const { open, problem } = await this.actions.checkMerge(id, into);
    return { open, problem: problem ?? null };
  }

  async merge({ name: by }: DeskOperator, id: number, into: number, note: string) {
    return { row: serverAuditState(await this.actions.merge({ by, note }, id, into)) };
  }
}

function parseIds(given: unknown): Set<number> {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MAX_IDS;
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_INT;
  if (!isList || !given.every(isId))
    throw new InvalidRequest([{ field: 'ids', message: `must be 1 to ${MAX_IDS} ids` }]);
  return new Set(given as number[]);
}
