import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import { AccountBusy } from '../../../features/closing/closing.errors.js';
import { cancelClosing, scheduleClosing } from '../../../features/closing/closing-state.js';
import { PlayerExport } from '../../../features/closing/player-export.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { type ClosingRecord, describeClosing } from '../../../platform/auth/closing-record.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { DAY_MS } from '../../../platform/config/calendar-day.js';
import { Settings } from '../../../platform/config/settings.js';
import { ActionRefused } from '../action-refused.js';
import { PlayerActions } from './player-actions.js';

/** Where players cannot close their accounts themselves. */
const DEFAULT_DAYS = 7;

export interface RepeatedClosings {
  closing: number;
  kept: number;
  /** Already as the record says. */
  known: number;
  refused: string[];
}

/** Closing accounts for their owners, and giving out what we hold about them. */
@Injectable()
export class PlayerClosings {
  private readonly logger = new Logger(PlayerClosings.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly actions: PlayerActions,
    private readonly sessions: SessionsService,
    private readonly exports: PlayerExport,
  ) {}

  /** When an account closes that is to be closed now. */
  nextClosing(): Date {
    const days = this.settings.current.account.close_days || DEFAULT_DAYS;
    return new Date(Date.now() + days * DAY_MS);
  }

  /** The next one first. */
  list(limit: number): Promise<Player[]> {
    return this.dataSource.manager.find(Player, {
      where: { closingAt: Not(IsNull()), closedAt: IsNull() },
      order: { closingAt: 'ASC' },
      take: limit,
    });
  }

  async close(who: Attribution, id: number, at = this.nextClosing()): Promise<void> {
    const player = await this.actions.change(
      who,
      'player.close',
      id,
      async (manager, { account }) => {
        const isNew = await scheduleClosing(manager, id, at).catch((error: unknown) => {
          throw error instanceof AccountBusy
            ? new ActionRefused(`${account} has an open withdrawal: settle it first`)
            : error;
        });
        if (!isNew) throw new ActionRefused(`${account} is closing already`);
        await this.sessions.endOthers(id, undefined, manager);
        return { before: { closing_at: null }, after: { closing_at: at.toISOString() } };
      },
    );
    this.logger.log(describeClosing(player, at));
  }

  async keep(who: Attribution, id: number): Promise<void> {
    const kept = await this.actions.change(who, 'player.keep', id, async (manager, player) => {
      const { account, closingAt } = player;
      if (!(await cancelClosing(manager, id))) throw new ActionRefused(`${account} is not closing`);
      const before = { closing_at: closingAt?.toISOString() ?? null };
      return { before, after: { closing_at: null } };
    });
    this.logger.log(describeClosing(kept, null));
  }

  /** Only into a new file, which only its owner can read. */
  async export(who: Attribution, id: number, path: string): Promise<void> {
    // First: nothing is given out unseen.
    await this.actions.runAction(who, 'player.export', id, async () => ({ before: {}, after: {} }));
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(this.exports.pieces(id)), file);
  }

  /** After a restore: does again what was done after the backup. Others may have the ids of lost registrations now. */
  async repeat(who: Attribution, records: ClosingRecord[]): Promise<RepeatedClosings> {
    const result: RepeatedClosings = { closing: 0, kept: 0, known: 0, refused: [] };
    for (const { id, createdAt, closingAt } of records) {
      const player = await this.dataSource.manager.findOneBy(Player, { id });
      const isSame = player?.createdAt.toISOString() === createdAt;
      if (!isSame) result.refused.push(`player ${id} is not in the backup`);
      else if (player.closedAt || (player.closingAt?.toISOString() ?? null) === closingAt)
        result.known++;
      else if (closingAt === null) {
        await this.keep(who, id);
        result.kept++;
      } else
        await this.close(who, id, new Date(closingAt)).then(
          () => result.closing++,
          (error: Error) => result.refused.push(`player ${id}: ${error.message}`),
        );
    }
    return result;
  }
}
