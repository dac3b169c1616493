import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, Repository } from 'typeorm';
import type { GameServerUnavailable } from '../../../features/withdraw/withdraw.errors.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import {
  type WithdrawalServer,
  WithdrawalServers,
} from '../../../features/withdraw/game/withdrawal-servers.js';
import { groupByServer } from '../../../features/withdraw/record/group-by-server.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';

export interface RoleBalance {
  server: number;
  role: number;
  name: string;
  succeeded: number;
  /** Deducted since the day began. */
  amount: number;
  /** Before the first of the orders; null if the game had not been read. */
  before: number | null;
  /** Null if the game cannot be read or has no such role. */
  now: number | null;
  /** What the orders do not explain: earned, spent, or settled wrongly. Null if a balance is missing. */
  difference: number | null;
  /** Sent since the day began. */
  orders: Withdrawal[];
}

export interface RoleBalances {
  roles: RoleBalance[];
  /** Why roles were not compared. */
  problems: string[];
}

/** For game servers that cannot be asked about orders: compares what each role had with what it has. */
@Injectable()
export class RoleBalanceComparison {
  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** The roles of these withdrawals, with all their orders since `from`. */
  async compare(withdrawals: Withdrawal[], from: Date): Promise<RoleBalances> {
    const roles: RoleBalance[] = [];
    const problems: string[] = [];
    for (const [id, ofServer] of groupByServer(withdrawals.filter(wasSent))) {
      const server = await this.servers.findForOrder(id);
      if (!server) {
        problems.push(`server ${id} is gone or was merged: its roles are not compared`);
        continue;
      }
      const orders = await this.ordersSince(id, from);
      let isReadable = true;
      for (const role of new Set(ofServer.map(({ roleId }) => roleId))) {
        const ofRole = orders.filter(({ roleId }) => roleId === role);
        const now = isReadable ? await this.balanceNow(server, role) : null;
        // For a dead database, every further role would take a time-out.
        if (typeof now === 'string') {
          isReadable = false;
          problems.push(`${now}: check it and GAME_DATABASE_URL, and try again`);
        } else if (now === null && isReadable)
          problems.push(`server ${id} has no role ${role}: it was deleted or moved`);
        roles.push(toBalance(ofRole, typeof now === 'string' ? null : now));
      }
    }
    return { roles, problems };
  }

  private async ordersSince(server: number, from: Date): Promise<Withdrawal[]> {
    const where = { roleServerId: server, createdAt: MoreThanOrEqual(from) };
    return (await this.withdrawals.find({ where, order: { id: 'ASC' } })).filter(wasSent);
  }

  /** Or why it cannot be read. */
  private balanceNow(server: WithdrawalServer, role: number): Promise<number | string | null> {
    return this.gameDatabase
      .balanceOf(server, role)
      .catch((error: GameServerUnavailable) => error.reason ?? error.message);
  }
}

const wasSent = ({ orderNo }: Withdrawal) => orderNo !== null;

function toBalance(orders: Withdrawal[], now: number | null): RoleBalance {
  const { roleServerId: server, roleId: role, roleName: name, balanceBefore: before } = orders[0]!;
  const succeeded = orders.filter(({ status }) => status === 'succeeded');
  const amount = succeeded.reduce((sum, order) => sum + order.amount, 0);
  const difference = before === null || now === null ? null : now - (before - amount);
  return {
    server,
    role,
    name,
    succeeded: succeeded.length,
    amount,
    before,
    now,
    difference,
    orders,
  };
}
