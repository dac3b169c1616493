import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { TooManyRequests } from '../../platform/http/errors/http.errors.js';
import { PlayerExport } from './player-export.js';

const RETRY_MS = 10 * 60 * 1000;

/** Gives players their own data, once a day. */
@Injectable()
export class ExportService {
  constructor(
    private readonly exports: PlayerExport,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  async open(me: PlayerIdentity): Promise<AsyncIterable<string>> {
    requireRecentProof(me);
    const now = new Date();
    await this.takeTurn(me.id, now);
    return this.pieces(me.id, now);
  }

  /** One conditional statement: of many at once, one gets the file. */
  private async takeTurn(id: number, now: Date): Promise<void> {
    const { affected } = await this.players
      .createQueryBuilder()
      .update({ exportedAt: now })
      .where('id = :id AND (exported_at IS NULL OR exported_at <= :before)', {
        id,
        before: new Date(now.getTime() - DAY_MS),
      })
      .execute();
    if (affected === 1) return;
    const { exportedAt } = await this.players.findOneByOrFail({ id });
    throw new TooManyRequests(((exportedAt?.getTime() ?? 0) + DAY_MS - now.getTime()) / 1000);
  }

  /** A failed export does not count; an aborted download can be repeated after ten minutes. */
  private async *pieces(id: number, exportedAt: Date): AsyncGenerator<string> {
    let counted: Date | null = new Date(exportedAt.getTime() - DAY_MS + RETRY_MS);
    try {
      yield* this.exports.pieces(id);
      counted = exportedAt;
    } catch (error) {
      counted = null;
      throw error;
    } finally {
      if (counted !== exportedAt)
        await this.players.update({ id, exportedAt }, { exportedAt: counted });
    }
  }
}
