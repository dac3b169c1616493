import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type SelectQueryBuilder } from 'typeorm';
import { BAN_IN_FORCE_SQL, type BanScope } from '../../../platform/auth/ban.js';
import { AuditEvent } from '../../../platform/audit/audit.entity.js';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { playerAuditSubject } from '../events/event-search.js';

const HISTORY_LIMIT = 50;

export type ListedBan = PlayerBan & {
  inForce: boolean;
  /** This is null unless an operator lifted the ban. A ban lifted by SQL has only its `liftedAt`. */
  lift: { by: string; note: string } | null;
};

@Injectable()
export class PlayerBans {
  constructor(private readonly dataSource: DataSource) {}

  async findByPlayer(playerId: number): Promise<ListedBan[]> {
    const bans = await this.dataSource.manager.find(PlayerBan, {
      where: { playerId },
      order: { id: 'DESC' },
      take: HISTORY_LIMIT,
    });
    const inForce = new Set((await this.findInForce([playerId])).map(({ id }) => id));
    const lifts = bans.some(({ liftedAt }) => liftedAt) ? await this.findLifts(playerId) : [];
    return bans.map((ban) => {
      const { operator: by, note } = lifts.find(({ ids }) => ids.has(ban.id)) ?? {};
      const lift = by === undefined ? null : { by, note: note! };
      return Object.assign(ban, { inForce: inForce.has(ban.id), lift });
    });
  }

  /** Returns the actions that lifted bans of this player, each with the ids of the lifted bans. */
  private async findLifts(playerId: number) {
    const acts = await this.dataSource.manager.find(AuditEvent, {
      where: { subject: playerAuditSubject(playerId), act: 'player.unban' },
      order: { id: 'DESC' },
      take: HISTORY_LIMIT,
    });
    return acts.map(({ operator, note, before, after }) => {
      const [ids, kept] = [banIdsOf(before), banIdsOf(after)];
      return { operator, note, ids: new Set(ids.filter((id) => !kept.includes(id))) };
    });
  }

  /** Returns these players' bans in force, ordered by widest scope and then latest end. */
  findInForce(playerIds: number[], manager = this.dataSource.manager): Promise<PlayerBan[]> {
    if (playerIds.length === 0) return Promise.resolve([]);
    return bansInForce(manager)
      .andWhere({ playerId: In(playerIds) })
      .orderBy(`CASE WHEN b.scope = 'all' THEN 0 ELSE 1 END`)
      .addOrderBy('CASE WHEN b.until IS NULL THEN 0 ELSE 1 END')
      .addOrderBy('b.until', 'DESC')
      .getMany();
  }

  listInForce(limit: number, before?: number): Promise<PlayerBan[]> {
    const query = bansInForce(this.dataSource.manager).innerJoinAndSelect('b.player', 'p');
    if (before !== undefined) query.andWhere('b.id < :before', { before });
    return query.orderBy('b.id', 'DESC').limit(limit).getMany();
  }

  async countInForce(): Promise<Record<BanScope, number>> {
    const rows = await bansInForce(this.dataSource.manager)
      .select('b.scope', 'scope')
      .addSelect('COUNT(DISTINCT b.player_id)', 'players')
      .groupBy('b.scope')
      .getRawMany<{ scope: BanScope; players: number | string }>();
    const counts = { all: 0, withdraw: 0 };
    for (const { scope, players } of rows) counts[scope] = Number(players);
    return counts;
  }
}

function banIdsOf(state: { bans?: Array<{ id: number }> } | null): number[] {
  return state?.bans?.map(({ id }) => id) ?? [];
}

function bansInForce(manager: EntityManager): SelectQueryBuilder<PlayerBan> {
  return manager.createQueryBuilder(PlayerBan, 'b').where(BAN_IN_FORCE_SQL);
}
