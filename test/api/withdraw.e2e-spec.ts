import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { localDay, dayBounds } from '../../src/platform/config/time.js';
import { ServersService } from '../../src/features/servers/servers.service.js';
import { WithdrawalStore } from '../../src/features/withdraw/record/withdrawal-store.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { until } from '../support/until.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../support/api/withdrawals.js';

let w: Withdrawals;
let merged: number;
let maintained: number;
let closed: number;
let scheduled: number;
let opened: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  merged = await w.addServer({ mergedInto: w.server });
  maintained = await w.addServer({ status: 'maintenance' });
  closed = await w.addServer({ status: 'closed' });
  const inAnHour = new Date(Date.now() + 3_600_000);
  scheduled = await w.addServer({ status: 'scheduled', openAt: inAnHour });
  opened = await w.addServer({ status: 'scheduled', openAt: new Date(Date.now() - 3_600_000) });
});
afterEach(async () => {
  w.game.fault = () => 'none';
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

describe('GET /api/game/roles', () => {
  const roles = (token: string, server = w.server) =>
    w.service.client.get(`/api/game/roles?server_id=${server}`, { token });

  it('reads the roles of a merged server from its target', async () => {
    const { token, role } = await w.createFundedRole();
    expect((await roles(token, merged)).body.data.roles).toMatchObject([{ role_id: role }]);
  });

  it('rejects servers that are unknown, closed or in maintenance', async () => {
    const { token } = await w.createFundedRole();
    expect((await roles(token, 9999)).body.error).toBe('server_not_found');
    expect((await roles(token, closed)).body.error).toBe('server_not_found');
    expect((await roles(token, scheduled)).body.error).toBe('server_not_found');
    expect((await roles(token, maintained)).body.error).toBe('server_unavailable');
    expect((await w.service.client.get('/api/game/roles', { token })).body.error).toBe(
      'invalid_request',
    );
  });
});

describe('POST /api/game/withdraw', () => {
  it.each([0, -1, 1.5, '10', 1e21, 2 ** 53, Number.NaN, null, true, [100], undefined])(
    'rejects the amount %j',
    async (amount) => {
      const rich = await w.createFundedRole();
      const answer = await w.withdraw(rich, amount as number);
      expect(answer.body.error).toBe('invalid_request');
      expect(answer.body.details[0].field).toBe('amount');
    },
  );

  it.each(['', 'a b', 'ä', 'x'.repeat(65)])('rejects the Idempotency-Key %j', async (key) => {
    const rich = await w.createFundedRole();
    expect((await w.withdraw(rich, 100, { key })).body.error).toBe('invalid_request');
    expect(await w.rows({ roleId: rich.role })).toEqual([]);
  });

  it('rejects an amount outside the configured range', async () => {
    const rich = await w.createFundedRole(1_000_000);
    for (const amount of [99, 100_001]) {
      const answer = await w.withdraw(rich, amount);
      expect(answer.body.error).toBe('amount_out_of_range');
      expect(answer.body.details).toHaveLength(1);
    }
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect((await w.withdraw(rich, 100_000)).status).toBe(200);
  });

  it("rejects a missing, deleted or other player's role and stores nothing", async () => {
    const rich = await w.createFundedRole();
    const stranger = await w.createFundedRole();
    await w.world.removeRole(w.server, rich.role);
    for (const role of [rich.role, stranger.role, 1]) {
      const answer = await w.withdraw({ ...rich, role }, 100);
      expect(answer.body.error).toBe('role_not_found');
      expect(await w.rows({ roleId: role })).toEqual([]);
    }
    expect((await w.withdraw(stranger, 100)).status).toBe(200);
  });

  it('rejects servers that are unknown, closed or in maintenance', async () => {
    const rich = await w.createFundedRole();
    const ask = async (server: number) => (await w.withdraw({ ...rich, server }, 100)).body.error;
    expect(await ask(9999)).toBe('server_not_found');
    expect(await ask(closed)).toBe('server_not_found');
    expect(await ask(scheduled)).toBe('server_not_found');
    expect(await ask(maintained)).toBe('server_unavailable');
    expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
  });

  it('accepts a scheduled server whose time has come, but not if the opening was postponed meanwhile', async () => {
    const rich = await w.createFundedRole(1000, opened);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    const servers = w.service.app.get(ServersService);
    // The service reads its servers once a second, so the withdrawal may still see the earlier time.
    const before = vi.spyOn(servers, 'find').mockResolvedValue(await servers.find(opened));
    await w.service.database.query(
      `UPDATE server SET open_at = '2036-01-01 00:00:00' WHERE id = ${opened}`,
    );
    expect((await w.withdraw(rich, 100)).body.error).toBe('server_unavailable');
    before.mockRestore();
  });
});

describe('The withdrawal settings', () => {
  afterEach(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('can disable withdrawals, while a repeated key still returns the earlier one', async () => {
    const rich = await w.createFundedRole();
    expect((await w.withdraw(rich, 100, { key: 'before' })).status).toBe(200);
    await w.service.changeSettings({ withdraw: { enabled: false } });
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_disabled');
    expect((await w.withdraw(rich, 100, { key: 'before' })).status).toBe(200);
  });

  it('apply the daily limit of the day on which the withdrawal was requested', async () => {
    const { to: midnight } = dayBounds('UTC', localDay('UTC', new Date()));
    // No recent authentication is required because midnight may be many hours after the sign-in.
    await w.service.changeSettings({ timezone: 'UTC', withdraw: { proof_minutes: 0 } });
    const rich = await w.createFundedRole(1000);
    const book = w.service.app.get(WithdrawalStore);
    const open = book.create.bind(book);
    const create = vi.spyOn(book, 'create').mockImplementationOnce((...opening) => {
      vi.setSystemTime(midnight.getTime() + 500);
      return open(...opening);
    });
    vi.useFakeTimers({ toFake: ['Date'], now: midnight.getTime() - 500 });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    vi.useRealTimers();
    create.mockRestore();
    const { createdAt } = await w.rowOf(rich);
    expect(createdAt.getTime()).toBeLessThan(midnight.getTime());
  });
});

describe('The Idempotency-Key header', () => {
  it('rejects a different body under the same key', async () => {
    const rich = await w.createFundedRole(1000);
    await w.withdraw(rich, 100, { key: 'mine' });
    expect((await w.withdraw(rich, 101, { key: 'mine' })).body).toMatchObject({
      code: 42200,
      error: 'idempotency_key_reused',
    });
    const other = await w.withdraw({ ...rich, role: rich.role + 1 }, 100, { key: 'mine' });
    expect(other.body.error).toBe('idempotency_key_reused');
    const elsewhere = await w.withdraw({ ...rich, server: merged }, 100, { key: 'mine' });
    expect(elsewhere.body.error).toBe('idempotency_key_reused');
  });

  it('is scoped to the account', async () => {
    const [one, two] = [await w.createFundedRole(), await w.createFundedRole()];
    const first = await w.withdraw(one, 100, { key: 'shared' });
    const second = await w.withdraw(two, 100, { key: 'shared' });
    expect(second.status).toBe(200);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('causes idempotency_conflict while the first request is in progress', async () => {
    const rich = await w.createFundedRole();
    w.game.fault = () => 'hang_before';
    const first = w.withdraw(rich, 100, { key: 'slow' });
    await until(() => w.game.hangingCount === 1);
    const second = await w.withdraw(rich, 100, { key: 'slow' });
    expect(second.body).toMatchObject({ code: 40906, error: 'idempotency_conflict' });
    await w.game.release();
    expect((await first).status).toBe(200);
    const third = await w.withdraw(rich, 100, { key: 'slow' });
    expect(third.status).toBe(200);
    expect(third.headers.get('idempotency-hit')).toBe('true');
  });
});

describe('GET /api/game/withdraw', () => {
  it('shows a withdrawal only to its owner', async () => {
    const rich = await w.createFundedRole();
    const { id } = (await w.withdraw(rich, 100)).body.data;
    const show = async (token: string, which: string | number = id) =>
      (await w.service.client.get(`/api/game/withdraw/${which}`, { token })).body;
    expect((await show(rich.token)).data).toMatchObject({ id, status: 'succeeded' });
    const stranger = tokenOf(w.service, await createPlayer(w.service));
    expect((await show(stranger)).error).toBe('withdrawal_not_found');
    expect((await show(rich.token, 999_999)).error).toBe('withdrawal_not_found');
    expect((await show(rich.token, 'x')).error).toBe('invalid_request');
  });
});
