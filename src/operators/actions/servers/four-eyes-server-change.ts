import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { toWireName } from '../../../platform/http/validation/field.decorator.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import type { ApprovalRequest } from '../four-eyes/approval-request.entity.js';
import { FourEyes, type Proposal } from '../four-eyes/four-eyes.js';
import type { ServerFields } from './new-server.js';
import { type ChangeGate, ServerActions } from './server-actions.js';
import { changesHosts } from './server-change-validation.js';

/**
 * Servers for the desk: with four eyes, a second operator has to make the same change before the service connects to
 * another host. Whoever controls that host decides what a withdrawal deducts.
 */
@Injectable()
export class FourEyesServerChange {
  constructor(
    private readonly actions: ServerActions,
    private readonly fourEyes: FourEyes,
  ) {}

  /** Undefined: it waits for a second person. */
  add(who: Attribution, fields: ServerFields): Promise<GameServer | undefined> {
    return this.change(who, fields, (gate) => this.actions.add(who, fields, gate));
  }

  /** Undefined: it waits for a second person. */
  update(who: Attribution, id: number, fields: ServerFields): Promise<GameServer | undefined> {
    return this.change(who, fields, (gate) => this.actions.update(who, id, fields, gate));
  }

  cancel(who: Attribution, id: number): Promise<void> {
    return this.fourEyes.cancel(who, 'server', id, 'server.cancel');
  }

  findRequests(): Promise<ApprovalRequest[]> {
    return this.fourEyes.findAll('server');
  }

  private async change(
    who: Attribution,
    fields: ServerFields,
    act: (gate: ChangeGate) => Promise<GameServer>,
  ): Promise<GameServer | undefined> {
    let isAgreed = true;
    const server = await act(async (manager, before, after) => {
      const { id: targetId } = after;
      const wanted = { kind: 'server', targetId, orderNo: '', proposal: textOf(fields) } as const;
      const needsSecond = this.fourEyes.isOn && changesHosts(before, after);
      if (!needsSecond) await this.fourEyes.drop(manager, wanted);
      isAgreed = !needsSecond || (await this.isAgreed(manager, who, wanted));
      return isAgreed;
    });
    return isAgreed ? server : undefined;
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

/** Sorted by column name: the second operator's page sends them again. */
function textOf(fields: ServerFields): string {
  const columns = Object.entries(fields)
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => [name === 'group' ? 'zone_group' : toWireName(name), value] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(columns));
}
