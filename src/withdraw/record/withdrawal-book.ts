import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThanOrEqual, Not, In } from 'typeorm';
import { isDuplicate } from '../../database/database-errors.js';
import { lockPlayer } from '../../database/player-lock.js';
import { inTransaction } from '../../database/transaction.js';
import { AmountOutOfRange, WithdrawalOpen } from '../withdraw.errors.js';
import { WithdrawalCount } from './withdrawal-count.js';
import { type EventCause, WithdrawalEvent } from './withdrawal-event.entity.js';
import { Withdrawal } from './withdrawal.entity.js';
import { isFinal, mayFollow, WITHOUT_EFFECT, type WithdrawalStatus } from './withdrawal-states.js';

const LONGEST_EVIDENCE = 1000;
// The unique key knows only the zone that a withdrawal was opened in, which may have been merged since.
const OPEN_SINCE_BEFORE_A_MERGE = `
  WITH RECURSIVE merged (id) AS (
    SELECT id FROM server WHERE merged_into = ?
    UNION SELECT server.id FROM server JOIN merged ON server.merged_into = merged.id
  )
  SELECT id FROM withdraw
   WHERE player_id = ? AND role_id = ? AND is_open = 1 AND zone_id IN (SELECT id FROM merged)`;

export type Opening = Pick<
  Withdrawal,
  'playerId' | 'serverId' | 'zoneId' | 'roleId' | 'roleName' | 'amount' | 'idempotencyKey'
>;

export interface DailyLimit {
  most: number;
  since: Date;
}

export interface Because {
  cause: EventCause;
  evidence: string;
}

/** The states of withdrawals, and the only writer of them: one conditional statement a step, with its event. */
@Injectable()
export class WithdrawalBook {
  constructor(
    private readonly dataSource: DataSource,
    private readonly count: WithdrawalCount,
  ) {}

  /** Writes a new one down, or finds the one that came with the same key before. */
  async create(
    opening: Opening,
    limit: DailyLimit,
  ): Promise<{ withdrawal: Withdrawal; repeated: boolean }> {
    const { playerId, idempotencyKey } = opening;
    try {
      const outcome = await inTransaction(this.dataSource, async (manager) => {
        // All that follows counts on standing alone.
        await lockPlayer(manager, playerId);
        const earlier = await findByKey(manager, playerId, idempotencyKey);
        if (earlier) return { withdrawal: earlier, repeated: true };
        await holdDailyLimit(manager, opening, limit);
        await refuseOpenFromBeforeAMerge(manager, opening);
        return { withdrawal: await insert(manager, opening), repeated: false };
      });
      if (!outcome.repeated) this.count.entered('created');
      return outcome;
    } catch (error) {
      if (isDuplicate(error)) throw new WithdrawalOpen();
      throw error;
    }
  }

  findByKey(playerId: number, key: string): Promise<Withdrawal | null> {
    return findByKey(this.dataSource.manager, playerId, key);
  }

  findById(id: number): Promise<Withdrawal | null> {
    return this.dataSource.manager.findOneBy(Withdrawal, { id });
  }

  /** created → sending, committed with the number the game server will know it by. True for the one who may call. */
  async send(withdrawal: Withdrawal, balanceBefore: number): Promise<boolean> {
    // The random part keeps numbers apart when a restored database counts its ids again.
    const orderNo = `W${withdrawal.id}-${randomBytes(6).toString('hex')}`;
    const sentAt = new Date();
    const because = { cause: 'balance', evidence: `balance ${balanceBefore}` } as const;
    const details = { orderNo, balanceBefore, sentAt };
    const won = await this.move(withdrawal.id, 'created', 'sending', because, details);
    if (won) Object.assign(withdrawal, details, { status: 'sending' });
    return won;
  }

  /** True when it was in `from` and now is in `to`; false when somebody else moved it first. */
  async move(
    id: number,
    from: WithdrawalStatus,
    to: WithdrawalStatus,
    because: Because,
    details: Partial<Withdrawal> = {},
  ): Promise<boolean> {
    if (!mayFollow(from, to)) throw new Error(`A withdrawal never goes from ${from} to ${to}`);
    const settledAt = isFinal(to) ? new Date() : null;
    const moved = await inTransaction(this.dataSource, async (manager) => {
      const change = { ...details, status: to, notedStatus: to, settledAt };
      const { affected } = await manager.update(Withdrawal, { id, status: from }, change);
      if (affected !== 1) return false;
      await append(manager, id, from, to, because);
      return true;
    });
    if (moved) this.count.entered(to);
    return moved;
  }

  /** Puts evidence on record that comes after the outcome was settled, and settles nothing. */
  async remark({ id, status }: Withdrawal, because: Because): Promise<void> {
    await append(this.dataSource.manager, id, status, status, because);
  }

  /** Appends the events that people's own SQL left out. */
  async noteEdits(): Promise<void> {
    const edited = await this.dataSource.manager.findBy(Withdrawal, { edited: 1 });
    for (const { id, status, notedStatus, settledAt, reason } of edited)
      await inTransaction(this.dataSource, async (manager) => {
        const change = {
          notedStatus: status,
          settledAt: isFinal(status) ? (settledAt ?? new Date()) : null,
          reason: WITHOUT_EFFECT.includes(status) ? reason : null,
        };
        const seen = { id, status, notedStatus };
        const { affected } = await manager.update(Withdrawal, seen, change);
        const because = { cause: 'sql', evidence: 'the status was changed by SQL' } as const;
        if (affected === 1) await append(manager, id, notedStatus, status, because);
      });
  }
}

async function findByKey(manager: EntityManager, playerId: number, key: string | null) {
  return key === null ? null : manager.findOneBy(Withdrawal, { playerId, idempotencyKey: key });
}

async function holdDailyLimit(
  manager: EntityManager,
  { playerId, amount }: Opening,
  { most, since }: DailyLimit,
): Promise<void> {
  const today = await manager.sum(Withdrawal, 'amount', {
    playerId,
    createdAt: MoreThanOrEqual(since),
    status: Not(In(WITHOUT_EFFECT)),
  });
  const left = Math.max(0, most - (today ?? 0));
  if (amount > left) throw new AmountOutOfRange(`the daily limit leaves ${left} for today`);
}

async function refuseOpenFromBeforeAMerge(
  manager: EntityManager,
  { playerId, zoneId, roleId }: Opening,
): Promise<void> {
  const where = [zoneId, playerId, roleId];
  const open = await manager.query<unknown[]>(OPEN_SINCE_BEFORE_A_MERGE, where);
  if (open.length > 0) throw new WithdrawalOpen();
}

async function insert(manager: EntityManager, opening: Opening): Promise<Withdrawal> {
  const withdrawal = manager.create(Withdrawal, {
    ...opening,
    status: 'created',
    notedStatus: 'created',
    createdAt: new Date(),
  });
  await manager.insert(Withdrawal, withdrawal);
  const because = { cause: 'request', evidence: `player ${opening.playerId}` } as const;
  await append(manager, withdrawal.id, null, 'created', because);
  return manager.findOneByOrFail(Withdrawal, { id: withdrawal.id });
}

async function append(
  manager: EntityManager,
  withdrawId: number,
  fromStatus: WithdrawalStatus | null,
  toStatus: WithdrawalStatus,
  { cause, evidence }: Because,
): Promise<void> {
  const cut = Array.from(evidence).slice(0, LONGEST_EVIDENCE).join('');
  const event = { withdrawId, fromStatus, toStatus, cause, evidence: cut, createdAt: new Date() };
  await manager.insert(WithdrawalEvent, event);
}
