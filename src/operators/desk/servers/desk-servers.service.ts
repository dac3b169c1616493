import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';
import {
  GameServer,
  type ServerStatus,
  toServedServer,
} from '../../../features/servers/game-server.entity.js';
import { serverAuditState } from '../../../features/servers/server-sql-edits.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import { toServerView } from '../../../features/servers/server.view.js';
import { ActionRefused } from '../../actions/action-refused.js';
import type { ApprovalRequest } from '../../actions/four-eyes/four-eyes.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import {
  FourEyesServerChange,
  type ServerChange,
} from '../../actions/servers/four-eyes-server-change.js';
import { ServerActions, type ShownColumns } from '../../actions/servers/server-actions.js';
import { readServerFields } from '../../actions/servers/server-fields.dto.js';
import {
  type ServerWithdrawalCounts,
  ServerWithdrawalStats,
} from '../../actions/servers/server-withdrawal-stats.js';

const MAX_IDS = 1000;
const NO_OPEN_WORK: ServerWithdrawalCounts = { open: 0, unknown: 0, failedLastHour: 0 };

@Injectable()
export class DeskServersService {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly actions: ServerActions,
    private readonly fourEyes: FourEyesServerChange,
    private readonly openWork: ServerWithdrawalStats,
  ) {}

  async list() {
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

  async preview(id: number | undefined, fields: unknown) {
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

  async add({ name: by }: DeskOperator, fields: unknown, note: string) {
    return toChangeResult(await this.fourEyes.add({ by, note }, await readServerFields(fields)));
  }

  /** `shown` holds the row's columns as the operator's form showed them. */
  async set(
    { name: by }: DeskOperator,
    id: number,
    { fields, shown }: { fields: unknown; shown: unknown },
    note: string,
  ) {
    const { id: another, ...changes } = await readServerFields(fields);
    if (another !== undefined && another !== id)
      throw new ActionRefused('the id of a server cannot be changed');
    if (Object.keys(changes).length === 0)
      throw new InvalidRequest([{ field: 'fields', message: 'must say what to change' }]);
    if (shown !== undefined && (typeof shown !== 'object' || shown === null))
      throw new InvalidRequest([{ field: 'shown', message: 'must be an object' }]);
    const seen = shown as ShownColumns | undefined;
    return toChangeResult(await this.fourEyes.update({ by, note }, id, changes, seen));
  }

  async cancel({ name: by }: DeskOperator, id: number, note: string): Promise<void> {
    await this.fourEyes.cancel({ by, note }, id);
  }

  /** Returns one result per server, because a refused change must not prevent the changes to the others. */
  async setStatus(
    { name: by }: DeskOperator,
    given: unknown,
    { status, openAt, note }: { status: ServerStatus; openAt?: string; note: string },
  ) {
    const opens = openAt === undefined ? undefined : openAt === 'now' ? null : new Date(openAt);
    const results: Array<{ id: number; done: boolean; problem: string | null }> = [];
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

  /** Returns what must be done first, and what makes the merge impossible. */
  async previewMerge(id: number, into: number) {
    const { open, problem } = await this.actions.checkMerge(id, into);
    return { open, problem: problem ?? null };
  }

  async merge({ name: by }: DeskOperator, id: number, into: number | null, note: string) {
    return toChangeResult(await this.fourEyes.merge({ by, note }, id, into));
  }
}

function parseIds(given: unknown): Set<number> {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MAX_IDS;
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_INT;
  if (!isList || !given.every(isId))
    throw new InvalidRequest([{ field: 'ids', message: `must be 1 to ${MAX_IDS} ids` }]);
  return new Set(given as number[]);
}

/** Returns the server as players see it, or null if the players' list omits it. */
function toPublicServerView(server: GameServer) {
  if (validateServer(server) !== undefined) return null;
  const served = toServedServer(server);
  return served.status === 'closed' ? null : toServerView(served);
}

function toRowView(
  server: GameServer,
  problem: string | undefined,
  { open, unknown, failedLastHour }: ServerWithdrawalCounts = NO_OPEN_WORK,
) {
  return {
    row: serverAuditState(server),
    problem: problem ?? null,
    seen: toPublicServerView(server),
    work: { open, unknown, failed_last_hour: failedLastHour },
  };
}

function toChangeResult({ server, waitsForSecond }: ServerChange) {
  return waitsForSecond
    ? { row: null, waits_for_second: true as const }
    : { row: serverAuditState(server) };
}

/** Includes the proposed fields, because the second operator must send the same ones. */
function toRequestView(request: ApprovalRequest, servers: GameServer[]) {
  const { targetId: id, proposal, operator: by, note, createdAt: at } = request;
  const fields = JSON.parse(proposal) as Record<string, string | number | boolean | null>;
  return { id, is_new: !servers.some((server) => server.id === id), fields, by, note, at };
}
