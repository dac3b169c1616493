import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { describeClosing, Player } from '../../../platform/auth/player.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { DAY_MS } from '../../../platform/config/time.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import {
  AccountBusy,
  cancelClosing,
  scheduleClosing,
} from '../../../features/closing/closing.service.js';
import { PlayerExport } from '../../../features/closing/export.service.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { ActionRefused } from '../action-refused.js';
import { PlayerActions } from './player-actions.js';

/** This period applies if the settings do not allow players to close their accounts. */
const DEFAULT_DAYS = 7;

/** Describes a closing or closed account. The id belongs to the same player only if `created_at` is unchanged. */
export interface SavedClosing {
  id: number;
  created_at: string;
  closing_at: string;
}

export interface RepeatedClosings {
  closing: number;
  kept: number;
  /** Counts accounts that were already in the state that the file describes. */
  known: number;
  refused: string[];
}

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

  nextClosing(): Date {
    const days = this.settings.current.account.close_days || DEFAULT_DAYS;
    return new Date(currentTime() + days * DAY_MS);
  }

  list(limit?: number): Promise<Player[]> {
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
        if (!isNew) throw new ActionRefused(`${account} is already closing`);
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

  /** Returns a player's data as JSON. The audit event is written first, so that every export is audited. */
  async openExport(who: Attribution, id: number): Promise<AsyncIterable<string>> {
    await this.actions.runAction(who, 'player.export', id, async () => ({ before: {}, after: {} }));
    return this.exports.pieces(id);
  }

  /** Writes a player's data to a new file that only the file's owner can read. */
  async export(who: Attribution, id: number, path: string): Promise<void> {
    const pieces = await this.openExport(who, id);
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(pieces), file);
  }

  /** Saves the list of closing and closed accounts before a restore, to a new file that only its owner can read. */
  async save(path: string): Promise<number> {
    const players = await this.dataSource.manager.find(Player, {
      where: [{ closingAt: Not(IsNull()) }, { closedAt: Not(IsNull()) }],
      order: { id: 'ASC' },
    });
    const saved: SavedClosing[] = players.map(({ id, createdAt, closingAt, closedAt }) => ({
      id,
      created_at: createdAt.toISOString(),
      closing_at: (closingAt ?? closedAt)!.toISOString(),
    }));
    await writeFile(path, JSON.stringify(saved), { flag: 'wx', mode: 0o600 });
    return saved.length;
  }

  /** Closes the saved accounts again after a restore, and cancels every other closing in the backup. */
  async repeat(who: Attribution, saved: SavedClosing[]): Promise<RepeatedClosings> {
    const result: RepeatedClosings = { closing: 0, kept: 0, known: 0, refused: [] };
    for (const { id, created_at, closing_at } of saved) {
      const player = await this.dataSource.manager.findOneBy(Player, { id });
      if (player?.createdAt.toISOString() !== created_at)
        result.refused.push(`player ${id} is not in the backup`);
      else if (player.closedAt || player.closingAt?.toISOString() === closing_at) result.known++;
      else
        await this.repeatClosing(who, player, new Date(closing_at)).then(
          () => result.closing++,
          (error: Error) => result.refused.push(`player ${id}: ${error.message}`),
        );
    }
    const savedIds = new Set(saved.map(({ id }) => id));
    for (const { id } of await this.list()) {
      if (savedIds.has(id)) continue;
      await this.keep(who, id);
      result.kept++;
    }
    return result;
  }

  /** Replaces the closing in the backup if the owner has cancelled it since and then closed the account again. */
  private async repeatClosing(who: Attribution, { id, closingAt }: Player, at: Date) {
    if (closingAt) await this.keep(who, id);
    await this.close(who, id, at);
  }
}
