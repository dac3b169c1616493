import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { expect } from 'vitest';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Settings } from '../../../src/platform/config/settings.js';
import {
  AbandonedWithdrawals,
  WithdrawalSweeper,
} from '../../../src/features/withdraw/withdrawal-sweeper.js';
import { UnknownWithdrawalsService } from '../../../src/features/withdraw/unknown-withdrawals.service.js';
import {
  WithdrawalEvent,
  Withdrawal,
} from '../../../src/features/withdraw/record/withdrawal.entity.js';
import type { WithdrawalCaller } from '../../../src/features/withdraw/record/withdrawal-limits.js';
import { WithdrawalOrphan } from '../../../src/features/withdraw/record/withdrawal-orphans.js';
import { ServersService } from '../../../src/features/servers/servers.service.js';
import { startApp, type TestApp } from './app.js';
import { Client } from './client.js';
import { SECRETS } from '../accounts.js';
import { createPlayer, addServer, tokenOf } from './factories.js';
import { FakeGameServer, type Fault, QUERY_OP } from './game-server.js';
import type { GameRoles } from './game-world.js';
import { SqliteGameWorld } from './sqlite-game-world.js';
import { until } from '../until.js';

/** Gives a game server on a busy machine enough time to respond. */
export const GM_TIMEOUT = { gm_timeout: 10 };
/** Makes the service query the game server for an order's outcome. */
export const ASKING = { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) };

export interface FundedRole {
  player: Player;
  token: string;
  server: number;
  role: number;
}

/** Holds a service with a game server to withdraw from. */
export class Withdrawals {
  private constructor(
    readonly service: TestApp,
    readonly world: GameRoles,
    readonly game: FakeGameServer,
    readonly server: number,
  ) {}

  static async start(settings: object = {}, env: Record<string, string> = {}, given?: GameRoles) {
    const world = given ?? (await SqliteGameWorld.start());
    const game = await FakeGameServer.start(world, SECRETS.GM_SECRET);
    const service = await startApp({
      env: { GAME_DATABASE_URL: world.urlAt(), ...env },
      settings: { withdraw: { ...GM_TIMEOUT, ...settings } },
    });
    // Only the tests start a sweep because a timer's sweep would overwrite what a test backdates.
    const { job, watch } = service.app.get(WithdrawalSweeper);
    for (const { timer } of [job, watch]) clearInterval(timer);
    const withdrawals = new Withdrawals(service, world, game, 0);
    return Object.assign(withdrawals, { server: await withdrawals.addServer() });
  }

  /** The service reads its servers once a second, so call this before the first request, or wait. */
  async addServer(server: Parameters<typeof addServer>[1] = {}): Promise<number> {
    const gm = { address: '127.0.0.1', gmPort: this.game.port };
    const { id } = await addServer(this.service.database, { ...gm, ...server });
    await this.world.addServer(id);
    return id;
  }

  /** Moves the roles and merges the servers, as an operator does. */
  async merge(server: number, into: number): Promise<void> {
    await this.world.moveRoles(server, into);
    const name = randomUUID();
    await this.service.database.query(
      `UPDATE server SET merged_into = ${into}, name = '${name}' WHERE id = ${server}`,
    );
    await this.untilListed(name);
  }

  /** Drops the cached list, which the service would use for another second. */
  async untilListed(text: string): Promise<void> {
    const servers = this.service.app.get(ServersService);
    await until(async () => {
      servers['snapshot'] = undefined;
      return (await this.service.client.get('/api/server/list')).text.includes(text);
    });
  }

  /** Creates a player with one role. */
  async createFundedRole(balance = 1000, server = this.server): Promise<FundedRole> {
    const player = await createPlayer(this.service);
    const role = await this.world.createRole(server, { account: player.account, balance });
    return { player, token: tokenOf(this.service, player), server, role };
  }

  /** Creates a role whose only withdrawal has an unknown outcome because of this game server fault. */
  async createUnknown(fault: Fault): Promise<FundedRole & { id: number }> {
    const rich = await this.createFundedRole(1000);
    this.game.fault = () => fault;
    const answer = await this.withoutPatience(() => this.withdraw(rich, 100));
    expect(answer.status).toBe(202);
    this.game.fault = () => 'none';
    return { ...rich, id: answer.body.data.id };
  }

  /** Creates a role whose withdrawal became unknown before its server was merged. */
  async createUnknownBeforeMerge(into: number): Promise<FundedRole> {
    const server = await this.addServer();
    await this.untilListed(`"id":${server},`);
    const rich = await this.createFundedRole(1000, server);
    this.game.fault = () => 'reset_before';
    expect((await this.withdraw(rich, 100)).status).toBe(202);
    this.game.fault = () => 'none';
    await this.merge(server, into);
    return rich;
  }

  /** Makes the game server work again after a test, and checks that nothing was deducted twice. */
  async settleTest(): Promise<void> {
    this.game.fault = () => 'none';
    this.game.answersQueries = true;
    this.game.dropHanging();
    await expectLedgersToAgree(this.service.database, this.game.ledger);
  }

  withdraw(
    { token, server, role }: Omit<FundedRole, 'player'>,
    amount: number,
    { key = randomUUID(), client = this.service.client }: { key?: string; client?: Client } = {},
  ) {
    const body = { server_id: server, role_id: role, amount };
    return client.post('/api/game/withdraw', body, {
      token,
      headers: { 'Idempotency-Key': key },
    });
  }

  rows(where: Partial<Withdrawal> = {}): Promise<Withdrawal[]> {
    return this.service.database
      .getRepository(Withdrawal)
      .find({ where: where as object, order: { id: 'ASC' } });
  }

  async rowOf({ role, server }: Pick<FundedRole, 'role' | 'server'>): Promise<Withdrawal> {
    const rows = await this.rows({ roleId: role, roleServerId: server });
    expect(rows).toHaveLength(1);
    return rows[0]!;
  }

  /** Shortens the game server timeout, but leaves a busy machine enough time to connect. */
  async withoutPatience<T>(work: () => Promise<T>): Promise<T> {
    const { withdraw } = this.service.app.get(Settings).current;
    const { gm_timeout } = withdraw;
    withdraw.gm_timeout = 1;
    try {
      return await work();
    } finally {
      withdraw.gm_timeout = gm_timeout;
    }
  }

  /** Backdates open withdrawals, as if their process had died `seconds` ago. */
  async age(seconds: number, which: Partial<Withdrawal> = {}): Promise<void> {
    for (const row of await this.rows(which)) {
      const earlier = (time: Date | null) => time && new Date(time.getTime() - seconds * 1000);
      await this.service.database.getRepository(Withdrawal).update(row.id, {
        createdAt: earlier(row.createdAt)!,
        sentAt: earlier(row.sentAt),
        askedAt: earlier(row.askedAt),
      });
      this.backdateWatch(seconds, Object.assign(row, { createdAt: earlier(row.createdAt)! }));
    }
  }

  /** Backdates the time at which the service began to watch the row and its order. */
  private backdateWatch(seconds: number, row: Withdrawal): void {
    const watched = this.service.app.get(AbandonedWithdrawals)['since'];
    const known = this.service.app.get(UnknownWithdrawalsService)['known'];
    const { id, status, orderNo, createdAt } = row;
    const places: Array<[Map<string, number>, string]> = [
      [watched, `${id} ${status} ${orderNo} ${createdAt.getTime()}`],
      [known, String(orderNo)],
    ];
    for (const [map, key] of places)
      map.set(key, (map.get(key) ?? performance.now()) - seconds * 1000);
  }

  /** Runs a complete sweep after the startup sweep has ended. */
  async sweep(): Promise<void> {
    const { job } = this.service.app.get(WithdrawalSweeper);
    await job.running;
    await job.run();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.game.stop();
    await this.world.stop();
  }
}

/** Returns a caller whose withdrawals can fail only because of the account's own state. */
export function callerOf({ id, account, ver }: Player): WithdrawalCaller {
  const now = new Date();
  return {
    identity: {
      id,
      account,
      ver,
      gameAccount: null,
      hasSecondFactor: false,
      confirmedAt: now,
      provedAt: now,
      withdrawPausedAt: null,
      withdrawalBan: null,
    },
    requireAllowed: () => undefined,
  };
}

/** Checks that withdrawals, their events and the game's ledger agree after any crash. */
export async function expectLedgersToAgree(
  database: DataSource,
  ledger: FakeGameServer['ledger'],
): Promise<void> {
  const withdrawals = await database.getRepository(Withdrawal).find();
  const events = await database.getRepository(WithdrawalEvent).find({ order: { id: 'ASC' } });
  const orphans = await database.getRepository(WithdrawalOrphan).find();
  const known = new Set([...withdrawals, ...orphans].map(({ orderNo }) => orderNo));
  for (const [orderNo, { requests, applications }] of ledger) {
    expect(known, `${orderNo} was sent, but never stored`).toContain(orderNo);
    expect(requests, `${orderNo} was sent`).toBe(1);
    expect(applications, `${orderNo} was applied`).toBeLessThanOrEqual(1);
  }
  for (const { id, status, orderNo } of withdrawals) {
    const applications = (orderNo && ledger.get(orderNo)?.applications) || 0;
    if (status === 'succeeded') expect(applications, `${id} succeeded`).toBe(1);
    if (status === 'refused' || status === 'failed' || status === 'created')
      expect(applications, `${id} ${status}`).toBe(0);
    const story = events.filter(({ withdrawId }) => withdrawId === id);
    expect(story[0], `${id} has a beginning`).toMatchObject({ fromStatus: null });
    expect(story.at(-1)?.toStatus, `the last event of ${id}`).toBe(status);
    story.slice(1).forEach((event, index) => {
      expect(event.fromStatus, `the events of ${id}`).toBe(story[index]!.toStatus);
    });
  }
}
