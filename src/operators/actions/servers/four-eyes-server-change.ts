import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { toWireName } from '../../../platform/http/validation/field.decorator.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import { type ApprovalRequest, FourEyes, type Proposal } from '../four-eyes/four-eyes.js';
import { type ChangeGate, ServerActions, type ShownColumns } from './server-actions.js';
import { changesMoneyPath } from './server-change-validation.js';
import type { ServerFields } from './server-fields.dto.js';

export interface ServerChange {
  /** This is the server's current row, or the proposed row of a server that does not exist yet. */
  server: GameServer;
  waitsForSecond: boolean;
}

/**
 * Changes servers for the command line and the desk. Under four-eyes approval, a second operator must make the same
 * change before commands or balance queries go to another host, because that host decides what a withdrawal deducts.
 */
@Injectable()
export class FourEyesServerChange {
  constructor(
    private readonly actions: ServerActions,
    private readonly fourEyes: FourEyes,
  ) {}

  add(who: Attribution, fields: ServerFields): Promise<ServerChange> {
    return this.change(who, fields, (gate) => this.actions.add(who, fields, gate));
  }

  update(
    who: Attribution,
    id: number,
    fields: ServerFields,
    shown?: ShownColumns,
  ): Promise<ServerChange> {
    return this.change(who, fields, (gate) =>
      this.actions.update(who, id, fields, { gate, shown }),
    );
  }

  /** Merges two servers, or undoes a merge if `into` is null. */
  merge(who: Attribution, id: number, into: number | null): Promise<ServerChange> {
    const fields = { mergedInto: into };
    return this.change(who, fields, (gate) => this.actions.merge(who, id, into, gate));
  }

  cancel(who: Attribution, id: number): Promise<void> {
    return this.fourEyes.cancel(who, 'server', id, 'server.cancel');
  }

  findRequests(): Promise<ApprovalRequest[]> {
    return this.fourEyes.findAll('server');
  }

  private async change(
    who: Attribution,
    fields: Partial<GameServer>,
    act: (gate: ChangeGate) => Promise<GameServer>,
  ): Promise<ServerChange> {
    let isAgreed = true;
    const server = await act(async (manager, before, after) => {
      const { id: targetId } = after;
      const wanted = { kind: 'server', targetId, orderNo: '', proposal: textOf(fields) } as const;
      const needsSecond = this.fourEyes.isOn && changesMoneyPath(before, after);
      if (!needsSecond) await this.fourEyes.drop(manager, wanted);
      isAgreed = !needsSecond || (await this.isAgreed(manager, who, wanted));
      return isAgreed;
    });
    return { server, waitsForSecond: !isAgreed };
  }

  private async isAgreed(
    manager: EntityManager,
    who: Attribution,
    wanted: Proposal,
  ): Promise<boolean> {
    const request = await this.fourEyes.find(manager, wanted.kind, wanted.targetId);
    if (request) {
      this.fourEyes.checkSecond(who, request, wanted);
      await this.fourEyes.take(manager, who, request);
    } else {
      await this.fourEyes.ask(manager, who, wanted, 'server.ask');
    }
    return request !== null;
  }
}

/** Sorts the columns, because the second operator's page may send them in a different order. */
function textOf(fields: Partial<GameServer>): string {
  const columns = Object.entries(fields)
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => [name === 'group' ? 'zone_group' : toWireName(name), value] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(columns));
}
