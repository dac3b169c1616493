import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { BannedPlayerSignOutService } from '../../../src/features/accounts/banned-player-sign-out.service.js';
import { WithdrawalSweeper } from '../../../src/features/withdraw/withdrawal-sweeper.js';
import { DataSource, In } from 'typeorm';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { EventDelivery } from '../../../src/platform/events/event-delivery.service.js';
import { EventBacklog } from '../../../src/platform/events/event-backlog.service.js';
import { EventOutbox } from '../../../src/platform/events/event-outbox.js';
import { EventQueue, OutboxEvent } from '../../../src/platform/events/event.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { closeNow } from '../../support/api/closing.js';
import { EVENT_SECRET, EventReceiver } from '../../support/api/event-receiver.js';
import { banPlayer, createPlayer, tokenOf } from '../../support/api/factories.js';
import { deskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { NestFactory } from '@nestjs/core';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import { EventChecks } from '../../../src/operators/cli/check/event-checks.js';
import { EventsCommandModule } from '../../../src/operators/cli/events/events.command.js';
import {
  startEventsCommand,
  startPlayerCommand,
  type TestCommand,
} from '../../support/api/run-command.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';

const OTHER_SECRET = `whsec_${Buffer.from('another secret, 24 bytes or more').toString('base64')}`;
const HOUR = 3600;

interface Leasing {
  moveDue(endpoint: string, playerId: number, from: string, to: string): Promise<boolean>;
}

let w: Withdrawals;
let game: EventReceiver;
let shop: EventReceiver;
let command: TestCommand;
let events: TestCommand;
let desk: TestDesk;

beforeAll(async () => {
  game = await EventReceiver.start();
  shop = await EventReceiver.start(OTHER_SECRET);
  const secrets = `game=${OTHER_SECRET},game=${EVENT_SECRET}, shop=${OTHER_SECRET}`;
  w = await Withdrawals.start({}, { EVENT_SECRETS: secrets });
  await w.service.changeSettings(settings());
  command = await startPlayerCommand(w.service);
  events = await startEventsCommand(w.service);
  desk = await startDesk(w.service);
});
afterEach(() => {
  for (const one of [game, shop]) one.answer = (_, response) => void response.end();
});
afterAll(async () => {
  await desk.stop();
  for (const one of [command, events]) await one.stop();
  await w.stop();
  for (const one of [game, shop]) await one.stop();
});

function settings(more: object = {}) {
  return {
    rate_limit: { per_minute: 100_000 },
    withdraw: { gm_timeout: 10 },
    events: [
      { name: 'game', url: game.url },
      { name: 'shop', url: shop.url, types: ['withdrawal.settled', 'player.closed'] },
    ],
    ...more,
  };
}

const outbox = () => w.service.database.getRepository(OutboxEvent);
const queue = () => w.service.database.getRepository(EventQueue);
const rowsOf = ({ id: playerId }: Pick<Player, 'id'>, endpoint = 'game') =>
  outbox().find({ where: { playerId, endpoint }, order: { id: 'ASC' } });

async function deliver(): Promise<void> {
  const { job } = w.service.app.get(EventDelivery);
  await job.running;
  await job.run();
}

/** Waits until no event of the player is queued for the endpoint. */
async function untilDone({ id: playerId }: Pick<Player, 'id'>, endpoint = 'game') {
  await until(async () => {
    await deliver();
    return !(await queue().existsBy({ playerId, endpoint }));
  });
}

const announce = ({ id }: Pick<Player, 'id'>, reason = 'x') =>
  w.service.database.transaction((manager) =>
    w.service.app.get(EventOutbox).announce(manager, 'player.banned', id, { reason }),
  );

async function applyBans(): Promise<void> {
  const { job } = w.service.app.get(BannedPlayerSignOutService);
  await job.running;
  await job.run();
}

const act = (line: string) =>
  command.run(...line.split(' '), '--by', 'anna', '--note', 'n', '--yes');

describe('An event', () => {
  it('is signed as Standard Webhooks prescribes, with each secret during a rotation', async () => {
    const player = await createPlayer(w.service, { email: newMailbox() });
    await announce(player, 'ünïcode "quoted"');
    await untilDone(player);
    const [event] = game.of(player.id);
    expect(event!.isGenuine).toBe(true);
    const [row] = await rowsOf(player);
    expect(event).toMatchObject({ id: row!.webhookId, text: row!.body });
    expect(Math.abs(event!.at - Date.now() / 1000)).toBeLessThan(60);
    expect(JSON.parse(event!.text)).toEqual({
      type: 'player.banned',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        player_id: player.id,
        account: player.account,
        game_account: player.account,
        reason: 'ünïcode "quoted"',
      },
    });
    expect(row).toMatchObject({ status: 'delivered', tries: 0, failure: null });
  });

  it('has the signature of the published test vector', () => {
    const webhook = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const at = new Date(1_614_265_330_000);
    expect(webhook.sign('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is written only for endpoints that want its type, and not at all without an endpoint', async () => {
    const player = await createPlayer(w.service);
    await announce(player);
    expect(await outbox().countBy({ playerId: player.id })).toBe(1);
    await w.service.changeSettings(settings({ events: [] }));
    await announce(player);
    expect(await outbox().countBy({ playerId: player.id })).toBe(1);
    await w.service.changeSettings(settings());
    await untilDone(player);
  });

  it('is not stored if its transaction is rolled back', async () => {
    const player = await createPlayer(w.service);
    const failing = w.service.database.transaction(async (manager) => {
      await w.service.app.get(EventOutbox).announce(manager, 'player.banned', player.id);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await rowsOf(player)).toEqual([]);
    expect(await queue().existsBy({ playerId: player.id })).toBe(false);
  });
});

describe('Events announce', () => {
  it('a ban inserted by SQL, the ban that remains of several, and the end of the last one', async () => {
    const player = await createPlayer(w.service);
    const end = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000);
    const long = await banPlayer(w.service, player, { reason: 'for good' });
    await applyBans();
    await banPlayer(w.service, player, { reason: 'a day', until: end });
    await applyBans();
    const bans = w.service.database.getRepository(PlayerBan);
    await bans.update(long, { liftedAt: new Date() });
    await applyBans();
    await bans.update({ playerId: player.id }, { liftedAt: new Date() });
    await applyBans();
    await untilDone(player);
    const told = game
      .of(player.id)
      .filter(({ type }) => type !== 'player.signed_out')
      .map(({ type, data: { scope, reason, until: until_ } }) => [type, scope, reason, until_]);
    expect(told).toEqual([
      ['player.banned', 'all', 'for good', null],
      ['player.banned', 'all', 'for good', null],
      ['player.banned', 'all', 'a day', end.toISOString()],
      ['player.unbanned', 'all', 'a day', end.toISOString()],
    ]);
    expect(game.typesOf(player.id)[0]).toBe('player.signed_out');
  });

  it('what operators change with commands', async () => {
    const player = await createPlayer(w.service, { email: newMailbox() });
    const { id, account } = player;
    const links = await linkTo(player);
    await act(`sign-out ${account}`);
    await act(`unlink ${account} --provider forum`);
    const renamed = `r${id}_${Date.now() % 1000}`;
    await act(`rename ${account} --to ${renamed}`);
    await untilDone(player);
    expect(game.typesOf(id)).toEqual([
      'player.linked',
      'player.signed_out',
      'player.unlinked',
      'player.signed_out',
      'player.renamed',
    ]);
    const [linked, , unlinked, , rename] = game.of(id);
    expect(linked!.data).toMatchObject({ provider: 'forum', connect_id: links, account });
    expect(unlinked!.data).toMatchObject({ provider: 'forum', connect_id: links });
    expect(rename!.data).toEqual({ player_id: id, account: renamed, game_account: account });
  });

  it('the end of all sessions, but not the end of all sessions except the current one', async () => {
    const player = await createPlayer(w.service);
    const browser = BrowserSession.of(w.service);
    await browser.signIn(player.account, PASSWORD);
    const others = await w.service.client.send('DELETE', '/api/sessions', { token: browser.token });
    expect(others.status).toBe(200);
    expect(await rowsOf(player)).toEqual([]);
    const token = tokenOf(w.service, player);
    expect((await w.service.client.send('DELETE', '/api/sessions', { token })).status).toBe(200);
    await untilDone(player);
    expect(game.typesOf(player.id)).toEqual(['player.signed_out']);
  });

  it('every final status of a withdrawal, including one set by SQL', async () => {
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    const settled = await w.createUnknown('reset_after');
    await w.service.database.query(`UPDATE withdraw SET status = 'failed' WHERE id = ?`, [
      settled.id,
    ]);
    await w.service.app.get(WithdrawalSweeper).job.run();
    for (const { player } of [rich, settled]) {
      await untilDone(player);
      await untilDone(player, 'shop');
    }
    const [row] = await w.rows({ playerId: rich.player.id });
    expect(shop.of(rich.player.id).map(({ data }) => data)).toEqual([
      {
        player_id: rich.player.id,
        account: rich.player.account,
        game_account: rich.player.account,
        id: row!.id,
        server_id: rich.server,
        role_id: rich.role,
        amount: 100,
        status: 'succeeded',
        order_no: row!.orderNo,
      },
    ]);
    expect(game.of(rich.player.id)[0]!.id).toBe(shop.of(rich.player.id)[0]!.id);
    const [event] = shop.of(settled.player.id);
    expect(event!.data).toMatchObject({ id: settled.id, status: 'failed' });
    expect(event!.isGenuine).toBe(true);
  });

  it('a closed account, whose earlier events no longer contain its identities', async () => {
    const email = newMailbox();
    const player = await createPlayer(w.service, { email, ip: '203.0.113.99' });
    game.answer = (_, response) => void response.writeHead(503).end();
    const connectId = await linkTo(player);
    await closeNow(w.service, player.id);
    const rows = await outbox().findBy({ playerId: player.id });
    expect(rows.map(({ type }) => type)).toEqual(['player.closed', 'player.closed']);
    const text = JSON.stringify(rows);
    for (const secret of [connectId, email, '203.0.113.99']) expect(text).not.toContain(secret);
  });
});

async function linkTo({ account }: Player): Promise<string> {
  const connectId = `c${Date.now()}${Math.floor(Math.random() * 1000)}`;
  const body = { account, provider: 'forum', connect_id: connectId };
  const { status } = await w.service.client.post('/api/bind_account', body);
  expect(status).toBe(200);
  return connectId;
}

describe('Event delivery', () => {
  it('sends an event that is written while an earlier one is being sent', async () => {
    const player = await createPlayer(w.service);
    let answer: (() => void) | undefined;
    // An event of an earlier test may arrive again.
    game.answer = ({ data }, response) => {
      if (data.player_id === player.id) answer = () => void response.end();
      else response.end();
    };
    await announce(player, 'first');
    await until(async () => (await deliver(), answer !== undefined));
    game.answer = (_, response) => void response.end();
    await announce(player, 'second');
    answer!();
    await untilDone(player);
    expect((await rowsOf(player)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(game.of(player.id).map(({ data }) => data.reason)).toEqual(['first', 'second']);
  });

  it('signs with the time of the database, because the clock of an instance may be wrong', async () => {
    const player = await createPlayer(w.service);
    const clock = w.service.app.get(DatabaseClock);
    // The desk and the commands of this test have their own clocks, which show the same time.
    const clocks = DatabaseClock.prototype as unknown as { follow: () => void };
    const follow = vi.spyOn(clocks, 'follow');
    clock['follow'](HOUR * 1000, 1);
    follow.mockImplementation(() => undefined);
    try {
      await announce(player);
      await untilDone(player);
    } finally {
      follow.mockRestore();
      clock['follow'](0, 1);
    }
    expect(game.of(player.id)[0]!.at).toBeGreaterThan(Date.now() / 1000 + HOUR / 2);
  });

  it('fails if the endpoint closes the connection without a final HTTP response', async () => {
    const player = await createPlayer(w.service);
    game.answer = (_, { socket }) => {
      socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    };
    await announce(player);
    await until(async () => (await deliver(), (await rowsOf(player))[0]!.tries === 1));
    game.answer = (_, response) => void response.end();
    await withClockAhead(30, () => untilDone(player));
  });

  it('sends no event whose lease would end before the request times out', async () => {
    const player = await createPlayer(w.service);
    const delivery = w.service.app.get(EventDelivery);
    let ahead = 55;
    let leased = 0;
    const lease = delivery['moveDue'].bind(delivery);
    const leaseSlowly = vi.spyOn(delivery as unknown as Leasing, 'moveDue');
    await withClockAhead(0, async () => {
      leaseSlowly.mockImplementation(async (...args) => {
        const isLeased = await lease(...args);
        if (args[1] === player.id) {
          leased++;
          vi.setSystemTime(Date.now() + ahead * 1000);
        }
        return isLeased;
      });
      await announce(player);
      await until(async () => (await deliver(), leased > 0));
      for (const { workers } of delivery['queues'].values()) await Promise.all(workers);
      expect(game.of(player.id)).toEqual([]);
      ahead = 0;
    });
    leaseSlowly.mockRestore();
    await withClockAhead(180, () => untilDone(player));
    expect(game.of(player.id)).toHaveLength(1);
  });

  it("waits for the end of a response before it sends the player's next event", async () => {
    const player = await createPlayer(w.service);
    let end: (() => void) | undefined;
    game.answer = ({ data }, response) => {
      response.flushHeaders();
      if (data.player_id === player.id) end ??= () => void response.end();
      if (data.player_id !== player.id || data.reason !== 'first') response.end();
    };
    await announce(player, 'first');
    await announce(player, 'second');
    await until(async () => (await deliver(), end !== undefined));
    for (let n = 0; n < 5; n++) {
      const neighbour = await createPlayer(w.service);
      await announce(neighbour);
      await untilDone(neighbour);
    }
    expect(game.of(player.id)).toHaveLength(1);
    end!();
    await untilDone(player);
    expect(game.of(player.id)).toHaveLength(2);
  });

  it('keeps the order of each player although several workers deliver', async () => {
    const players = await Promise.all(Array.from({ length: 5 }, () => createPlayer(w.service)));
    for (let n = 0; n < 8; n++) for (const player of players) await announce(player, String(n));
    for (const player of players) await untilDone(player);
    for (const { id } of players) {
      expect(game.of(id).map(({ data }) => data.reason)).toEqual('01234567'.split(''));
      expect(new Set(game.of(id).map((one) => one.id)).size).toBe(8);
    }
  });

  it('retries a failed event after increasingly long pauses, and then gives up', async () => {
    const player = await createPlayer(w.service);
    const neighbour = await createPlayer(w.service);
    game.answer = ({ data }, response) => {
      void response.writeHead(data.player_id === player.id ? 500 : 204).end();
    };
    await announce(player, 'first');
    await announce(player, 'second');
    const tries = () => game.of(player.id).filter(({ data }) => data.reason === 'first').length;
    await until(async () => (await deliver(), tries() === 1));
    await announce(neighbour);
    await untilDone(neighbour);
    const pauses = [5, 30, 120, 600, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
    await untilPause(player, 1, pauses[0]!);
    let ahead = 0;
    for (const [n, pause] of pauses.entries()) {
      ahead += pause + 1;
      await withClockAhead(ahead, async () => {
        await until(async () => (await deliver(), tries() === n + 2));
        const next = pauses[n + 1];
        if (next !== undefined) await untilPause(player, n + 2, next);
        else await until(async () => (await rowsOf(player))[0]!.status === 'dead');
        // The next event is tried immediately.
        if (next === undefined) await untilPause(player, 1, pauses[0]!);
      });
    }
    const [first, second] = await rowsOf(player);
    expect((await rowsOf(player))[0]).toMatchObject({ tries: 9, failure: 'HTTP 500' });
    const ids = game.of(player.id).map(({ id }) => id);
    expect(new Set(ids.slice(0, 9))).toEqual(new Set([first!.webhookId]));
    game.answer = (_, response) => void response.end();
    await withClockAhead(ahead + 60, () => untilDone(player));
    expect(game.of(player.id).at(-1)!.id).toBe(second!.webhookId);
  });

  /** Waits until the player's next try is due this many seconds after the last one. */
  async function untilPause({ id: playerId }: Player, tries: number, seconds: number) {
    await until(async () => {
      const { dueAt } = await queue().findOneByOrFail({ playerId });
      const row = await outbox().findOneByOrFail({ playerId, status: 'waiting' });
      if (row.tries !== tries) return false;
      return Math.abs(dueAt.getTime() - row.triedAt!.getTime() - seconds * 1000) < 2000;
    });
  }

  it('to an endpoint that hangs delays no other endpoint', async () => {
    const rich = await w.createFundedRole(1000);
    let hanging = 0;
    game.answer = () => void hanging++;
    const players = await Promise.all(Array.from({ length: 12 }, () => createPlayer(w.service)));
    for (const player of players) await announce(player);
    await until(async () => (await deliver(), hanging >= 10));
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await untilDone(rich.player, 'shop');
    expect(shop.typesOf(rich.player.id)).toEqual(['withdrawal.settled']);
    await game.stop();
    game = await EventReceiver.start(EVENT_SECRET, game.port);
    const failed = () => outbox().countBy({ endpoint: 'game', status: 'waiting', tries: 1 });
    await until(async () => (await failed()) === hanging);
    await withClockAhead(120, async () => {
      for (const player of [...players, rich.player]) await untilDone(player);
    });
  });

  it('stops after 410 until the settings file changes', async () => {
    const [player, later] = [await createPlayer(w.service), await createPlayer(w.service)];
    game.answer = (_, response) => void response.writeHead(410).end();
    await announce(player);
    await until(async () => (await deliver(), game.of(player.id).length === 1));
    await until(async () => (await rowsOf(player))[0]!.failure === 'HTTP 410');
    game.answer = (_, response) => void response.end();
    await announce(later);
    for (let n = 0; n < 3; n++) await deliver();
    await withClockAhead(2 * HOUR, deliver);
    expect(game.of(later.id)).toEqual([]);
    expect((await rowsOf(player))[0]!.status).toBe('waiting');
    await w.service.changeSettings(settings());
    await withClockAhead(120, async () => {
      await untilDone(player);
      await untilDone(later);
    });
    expect(game.of(player.id)).toHaveLength(2);
    expect(await queue().existsBy({ playerId: 0 })).toBe(false);
  });

  it('stops after several simultaneous 410 responses, and later sends all of these events', async () => {
    const players = await Promise.all(Array.from({ length: 10 }, () => createPlayer(w.service)));
    const held: Array<() => void> = [];
    game.answer = ({ data }, response) => {
      if (players.some(({ id }) => id === data.player_id))
        held.push(() => void response.writeHead(410).end());
      else response.end();
      if (held.length >= players.length) held.forEach((answer) => answer());
    };
    for (const player of players) await announce(player);
    const refused = () =>
      outbox().countBy({ endpoint: 'game', status: 'waiting', failure: 'HTTP 410' });
    await until(async () => (await deliver(), (await refused()) === players.length));
    game.answer = (_, response) => void response.end();
    await w.service.changeSettings(settings());
    for (const player of players) await untilDone(player);
  });

  it('raises no alert for an endpoint that was removed from the settings', async () => {
    const player = await createPlayer(w.service);
    const gone = { name: 'gone', url: game.url };
    await w.service.changeSettings(settings({ events: [gone] }));
    await announce(player);
    await w.service.changeSettings(settings());
    const checked = await new EventChecks(w.service.app.get(EventBacklog)).run();
    expect(checked).toContainEqual(
      expect.objectContaining({ what: 'events for gone', state: 'note' }),
    );
    const { text } = await w.service.client.get('/api/metrics');
    // A delivery may have begun before the endpoint was removed, so its counters may exist.
    expect(text).not.toMatch(/^gatehouse_events_\w+\{endpoint="gone"/m);
    await outbox().delete({ endpoint: 'gone' });
  });

  it('waits while the settings forbid the host or the secret is missing', async () => {
    const player = await createPlayer(w.service);
    await w.service.changeSettings(settings({ game_hosts: ['10.0.0.0/8'] }));
    await announce(player);
    for (let n = 0; n < 3; n++) await deliver();
    for (const { workers } of w.service.app.get(EventDelivery)['queues'].values())
      await Promise.all(workers);
    expect(game.of(player.id)).toEqual([]);
    await w.service.changeSettings(
      settings({ events: [{ name: 'unknown', url: game.url }, ...settings().events] }),
    );
    await announce(player);
    await untilDone(player);
    expect(game.of(player.id)).toHaveLength(2);
    expect(await rowsOf(player, 'unknown')).toMatchObject([{ status: 'waiting', tries: 0 }]);
    await w.service.changeSettings(settings());
  });

  it('reports waiting and dead events in check, metrics and desk, and resends dead ones', async () => {
    await outbox().clear();
    await queue().clear();
    // Only this test decides when a delivery begins.
    const delivery = w.service.app.get(EventDelivery);
    clearInterval(delivery.job.timer);
    const player = await createPlayer(w.service);
    await announce(player, 'dead');
    await untilDone(player);
    for (const { workers } of delivery['queues'].values()) await Promise.all(workers);
    await announce(player, 'waits');
    await queue().update({ playerId: player.id }, { dueAt: new Date(Date.now() + HOUR * 1000) });
    const [dead, waits] = await rowsOf(player);
    const long = new Date(Date.now() - 2 * HOUR * 1000);
    await outbox().update(dead!.id, { status: 'dead', tries: 9, failure: 'HTTP 500' });
    await outbox().update({ id: In([dead!.id, waits!.id]) }, { createdAt: long });

    const checked = await new EventChecks(w.service.app.get(EventBacklog)).run();
    const text = checked.filter(({ state }) => state === 'wrong').map((one) => one.text);
    expect(text).toEqual([
      expect.stringMatching(/^1 wait, the oldest since .* UTC: look for game in the log$/),
      '1 are dead: gatehouse events dead',
    ]);
    const { text: metrics } = await w.service.client.get('/api/metrics');
    expect(metrics).toContain('gatehouse_events_dead{endpoint="game"} 1');
    expect(metrics).toContain('gatehouse_events_waiting{endpoint="shop"} 0');
    expect(metrics).toMatch(/gatehouse_events_waiting_oldest_seconds{endpoint="game"} 7\d{3}/);

    const admin = await deskUser(desk, 'admin');
    const answered = await admin.get('/api/events');
    expect(answered.body).toMatchObject({ code: 0 });
    const page = answered.body.data;
    expect(page.endpoints).toContainEqual(
      expect.objectContaining({ endpoint: 'game', waiting: 1, dead: 1, problem: null }),
    );
    expect(page).toMatchObject({ may_resend: true, dead: [{ player_id: player.id }] });
    const { needs } = (await admin.get('/api/now')).body.data;
    expect(needs).toContainEqual(expect.objectContaining({ kind: 'dead_events', count: 1 }));
    expect((await events.run('dead')).text).toContain('HTTP 500');

    const note = ['--by', 'anna', '--note', 'repaired', '--yes'];
    expect((await events.run('resend', '--endpoint', 'shop', ...note)).text).toMatch(/^0 /);
    expect((await events.run('resend', '--endpoint', 'game', ...note)).text).toMatch(/^1 /);
    // The next event is sent without waiting for its pause to end.
    await untilDone(player);
    expect(game.of(player.id).map(({ data }) => data.reason)).toEqual(['dead', 'dead', 'waits']);
    expect(
      await w.service.database.getRepository(AuditEvent).findOneBy({ act: 'events.resend' }),
    ).toMatchObject({ operator: 'anna', after: { events: 1 } });

    await outbox().update({ playerId: player.id }, { status: 'dead' });
    const resent = await admin.post('/api/events/resend', { endpoint: 'game', note: 'again' });
    expect(resent.body.data).toEqual({ events: 2, players: 0 });
    await untilDone(player);
    expect(game.of(player.id)).toHaveLength(5);

    await announce(player, 'paused');
    const leased = await createPlayer(w.service);
    await announce(leased, 'in progress');
    const [hours, seconds] = [6 * HOUR, 50].map((ahead) => new Date(Date.now() + ahead * 1000));
    await queue().update({ playerId: player.id }, { dueAt: hours });
    await queue().update({ playerId: leased.id }, { dueAt: seconds });
    const woken = await admin.post('/api/events/resend', { endpoint: 'game', note: 'repaired' });
    expect(woken.body.data).toEqual({ events: 0, players: 1 });
    await untilDone(player);
    expect(game.of(leased.id)).toEqual([]);
    await withClockAhead(60, () => untilDone(leased));
  });

  it('of events from a command that cannot read the settings begins when an instance sees them', async () => {
    const player = await createPlayer(w.service);
    const context = await NestFactory.createApplicationContext(
      CommandModule.forRoot(
        Object.assign(new Environment(), w.service.app.get(Environment), {
          startsWithRefusedSettings: true,
          SETTINGS_FILE: 'no such file',
        }),
        EventsCommandModule,
      ),
      { logger: false, abortOnError: false },
    );
    const outboxOfCommand = context.get(EventOutbox);
    await w.service.changeSettings(settings({ events: [] }));
    await w.service.database.transaction((manager) =>
      outboxOfCommand.announce(manager, 'player.closed', player.id),
    );
    await until(async () => (await deliver(), (await rowsOf(player, '')).length === 0));
    await w.service.changeSettings(settings());
    await w.service.database.transaction((manager) =>
      outboxOfCommand.announce(manager, 'player.closed', player.id),
    );
    await context.close();
    await until(async () => (await deliver(), shop.of(player.id).length === 1));
    await untilDone(player);
    expect(game.typesOf(player.id)).toEqual(['player.closed']);
    expect(await rowsOf(player, '')).toEqual([]);
  });

  it('deletes delivered events after a week', async () => {
    const player = await createPlayer(w.service);
    await announce(player);
    await untilDone(player);
    const cleaner = w.service.app.get(ExpiredRowCleaner);
    await cleaner.deleteAll();
    expect(await rowsOf(player)).toHaveLength(1);
    await outbox().update({ playerId: player.id }, { expiresAt: new Date(Date.now() - 1000) });
    await cleaner.deleteAll();
    expect(await rowsOf(player)).toEqual([]);
  });
});

it('The statements of event delivery use indexes', async () => {
  const { kind } = inject('database');
  const database = w.service.app.get(DataSource);
  const explain = async (sql: string, values: unknown[]) => {
    const rows = await database.query<Array<Record<string, unknown>>>(
      `EXPLAIN ${kind === 'embedded' ? 'QUERY PLAN ' : ''}${sql}`,
      values,
    );
    return JSON.stringify(rows);
  };
  const filler = (n: number) => ({
    endpoint: n % 2 ? 'game' : 'shop',
    playerId: 9_000_000 + n,
    webhookId: 'w',
    type: 'player.banned' as const,
    body: '{}',
    status: n % 5 ? ('delivered' as const) : ('dead' as const),
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 1e9),
  });
  for (let from = 0; from < 2000; from += 200) {
    const numbers = Array.from({ length: 200 }, (_, n) => from + n);
    await outbox().insert(numbers.map(filler));
    await queue().insert(
      numbers.map((n) => {
        const dueAt = new Date(Date.now() + n * 1000);
        return { endpoint: 'plan', playerId: 9_000_000 + n, dueAt };
      }),
    );
  }
  if (kind !== 'embedded') await database.query('ANALYZE TABLE event_outbox, event_queue');
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  expect(
    await explain(
      'SELECT player_id, due_at FROM event_queue WHERE endpoint = ? AND due_at <= ? ORDER BY due_at LIMIT 50',
      ['plan', now],
    ),
  ).toMatch(/event_queue_due/);
  expect(
    await explain(
      `SELECT id, body FROM event_outbox WHERE player_id = ? AND endpoint = ? AND status = 'waiting' ORDER BY id LIMIT 2`,
      [9_000_001, 'game'],
    ),
  ).toMatch(/event_outbox_player/);
  expect(
    await explain(
      `SELECT endpoint, status, COUNT(*), MIN(id) FROM event_outbox WHERE status IN ('waiting', 'dead') GROUP BY status, endpoint`,
      [],
    ),
  ).toMatch(/event_outbox_status/);
  await queue().delete({ endpoint: 'plan' });
  await outbox().delete({ webhookId: 'w' });
});
