import { randomBytes } from 'node:crypto';
import { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Settings } from '../../../src/platform/config/settings.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { FourEyesSettlement } from '../../../src/operators/actions/withdrawals/four-eyes-settlement.js';
import { ApprovalRequest } from '../../../src/operators/actions/four-eyes/four-eyes.js';
import {
  WithdrawalEvent,
  Withdrawal,
} from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import type { Answer } from '../../support/api/client.js';
import {
  deskUser,
  type DeskUser,
  sameSessionAt,
  startDesk,
  type TestDesk,
} from '../../support/api/desk.js';
import { createPlayer, addServer } from '../../support/api/factories.js';
import { allAtOnce, times } from '../../support/api/parallel.js';

const ABOVE = 5000;
const LARGE = ABOVE + 1;

let service: TestApp;
let desk: TestDesk;
let otherDesk: TestDesk;
let anna: DeskUser;
let bert: DeskUser;
let server: number;

beforeAll(async () => {
  service = await startApp({ settings: { desk: { four_eyes_above: ABOVE } } });
  desk = await startDesk(service);
  otherDesk = await startDesk(service);
  anna = await deskUser(desk, 'treasury');
  bert = await deskUser(otherDesk, 'treasury');
  server = (await addServer(service.database, { name: 'Dragon Valley' })).id;
});
afterAll(async () => {
  await desk.stop();
  await otherDesk.stop();
  await service.stop();
});

let roles = 0;

/** Creates a withdrawal that was sent and whose outcome is unknown. */
async function unknown(amount = LARGE, more: Partial<Withdrawal> = {}): Promise<Withdrawal> {
  const { id: playerId } = await createPlayer(service);
  const row = await service.database.getRepository(Withdrawal).save({
    playerId,
    serverId: server,
    roleServerId: server,
    roleId: ++roles,
    roleName: 'hero',
    amount,
    status: 'unknown' as const,
    reason: null,
    orderNo: `W-${randomBytes(6).toString('hex')}`,
    idempotencyKey: null,
    createdAt: new Date(),
    sentAt: new Date(),
    ...more,
  });
  return row;
}

const note = 'in the log of the server, 14:02';
const settle = (who: DeskUser, id: number, outcome = 'succeeded', why = note) =>
  who.post(`/api/withdrawals/${id}/settle`, { outcome, note: why });
const rowOf = (id: number) => service.database.getRepository(Withdrawal).findOneByOrFail({ id });
const settleRequestOf = (targetId: number) =>
  desk.app
    .get(DataSource)
    .getRepository(ApprovalRequest)
    .findOneBy({ kind: 'withdrawal', targetId });
const eventsOf = (withdrawId: number) =>
  service.database
    .getRepository(WithdrawalEvent)
    .find({ where: { withdrawId }, order: { id: 'ASC' } });
const actsOf = async (id: number) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `withdrawal ${id}` }, order: { id: 'ASC' } })
  ).filter(({ act }) => act !== 'desk.view');
const refusedWith = (words: string) => ({
  status: 409,
  body: { error: 'act_refused', message: expect.stringContaining(words) },
});

const isRefused = ({ status }: Answer) => status === 409;

describe('GET /api/withdrawals', () => {
  it('filters by status, account, server and time, and shows names and age', async () => {
    const row = await unknown(300, { createdAt: new Date(Date.now() - 60_000) });
    const { body } = await anna.get(`/api/players/${row.playerId}`);
    const { account } = body.data.player;
    const own = await anna.get(
      `/api/withdrawals?account=${account}&status=unknown&server=${server}`,
    );
    expect(own.body.data).toMatchObject({
      withdrawals: [
        {
          id: row.id,
          account,
          player_id: row.playerId,
          server: 'Dragon Valley',
          role_name: 'hero',
          amount: 300,
          status: 'unknown',
          settle_request: null,
        },
      ],
      next: null,
    });
    expect(own.body.data.withdrawals[0].age_seconds).toBeGreaterThanOrEqual(60);
    for (const none of ['status=failed', 'server=99999', 'since=2036-01-01T00:00:00Z'])
      expect(
        (await anna.get(`/api/withdrawals?account=${account}&${none}`)).body.data.withdrawals,
      ).toEqual([]);
    expect((await anna.get('/api/withdrawals?status=odd')).body.error).toBe('invalid_request');
    expect((await anna.get('/api/withdrawals?since=2026-13-01T00:00:00Z')).status).toBe(400);
    expect((await anna.get('/api/withdrawals?limit=101')).status).toBe(400);
  });

  it('pages through withdrawals with the same time without loss or duplicates', async () => {
    const { id: there } = await addServer(service.database);
    const createdAt = new Date('2026-11-01T10:00:00.123Z');
    const ids: number[] = [];
    for (let n = 0; n < 7; n++)
      ids.push((await unknown(300, { roleServerId: there, createdAt })).id);
    // A skewed clock set the time of this withdrawal, so the smaller id is newer.
    ids.push(
      (await unknown(300, { roleServerId: there, createdAt: new Date('2026-10-31T00:00:00Z') })).id,
    );
    for (const filter of ['', '&status=unknown', '&since=2026-10-01T00:00:00Z']) {
      const found: number[] = [];
      for (let next: number | null | undefined; next !== null;) {
        const more: string = next === undefined ? '' : `&before=${next}`;
        const { body } = await anna.get(`/api/withdrawals?server=${there}&limit=3${filter}${more}`);
        found.push(...body.data.withdrawals.map(({ id }: Withdrawal) => id));
        next = body.data.next as number | null;
      }
      expect(found).toEqual([...ids.slice(0, 7).toReversed(), ids[7]]);
    }
  });
});

describe('POST /api/withdrawals/:id/settle', () => {
  it('requires only one operator up to the threshold', async () => {
    const { id } = await unknown(ABOVE);
    expect((await settle(anna, id, 'failed')).body.data).toEqual({ settled: true });
    expect(await rowOf(id)).toMatchObject({ status: 'failed' });
    expect(await actsOf(id)).toMatchObject([
      { act: 'withdrawal.settle', operator: anna.name, note },
    ]);
    expect(await settle(anna, id, 'failed')).toMatchObject(
      refusedWith('to correct that, reopen it first'),
    );
    expect((await settle(anna, id, 'refused')).status).toBe(400);
  });

  it('requires a second operator above the threshold and records both', async () => {
    const { id } = await unknown();
    expect((await settle(anna, id)).body.data).toEqual({ settled: false, waits_for_second: true });
    expect(await rowOf(id)).toMatchObject({ status: 'unknown' });
    const story = (await anna.get(`/api/withdrawals/${id}`)).body.data;
    expect(story).toMatchObject({
      withdrawal: { id, status: 'unknown', server: 'Dragon Valley' },
      needs_two: true,
      settle_request: { outcome: 'succeeded', by: anna.name, note },
      may: ['settle_cancel'],
    });
    expect((await bert.get(`/api/withdrawals/${id}`)).body.data.may).toEqual([
      'settle',
      'settle_decline',
    ]);
    // Neither a second request by the same operator nor a request for another outcome settles it.
    expect(await settle(anna, id)).toMatchObject(refusedWith('second person'));
    expect(await settle(bert, id, 'failed')).toMatchObject(
      refusedWith(`${anna.name} asks for succeeded`),
    );
    expect(await rowOf(id)).toMatchObject({ status: 'unknown' });
    expect((await settle(bert, id, 'succeeded', 'seen too')).body.data).toEqual({ settled: true });
    expect(await rowOf(id)).toMatchObject({ status: 'succeeded' });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      cause: 'person',
      evidence: `${anna.name} and ${bert.name}: ${note} / seen too`,
    });
    expect(await actsOf(id)).toMatchObject([
      { act: 'withdrawal.settle-ask', operator: anna.name, after: { outcome: 'succeeded' } },
      {
        act: 'withdrawal.settle',
        operator: bert.name,
        after: { status: 'succeeded', asked_by: anna.name },
      },
    ]);
    expect(await settleRequestOf(id)).toBeNull();
  });

  it('starts over after the first operator cancels the request', async () => {
    const { id } = await unknown();
    await settle(anna, id, 'failed');
    const cancel = (who: DeskUser) => who.post(`/api/withdrawals/${id}/settle/cancel`, { note });
    expect(await cancel(bert)).toMatchObject(refusedWith('decline it instead'));
    expect((await cancel(anna)).body.data).toMatchObject({ settle_request: null, may: ['settle'] });
    expect(await cancel(anna)).toMatchObject(refusedWith('there is no request'));
    expect((await settle(bert, id)).body.data).toMatchObject({ settled: false });
    expect((await settle(anna, id)).body.data).toEqual({ settled: true });
  });

  it('starts over after the second operator declines with a reason that the first one sees', async () => {
    const { id } = await unknown();
    await settle(anna, id, 'failed');
    const decline = (who: DeskUser, body: object = { outcome: 'failed', note: 'a@mail.example' }) =>
      who.post(`/api/withdrawals/${id}/settle/decline`, body);
    expect(await decline(anna)).toMatchObject(refusedWith('a second person'));
    // The first operator may have replaced the request since the second one read it.
    expect(await decline(bert, { outcome: 'succeeded', note })).toMatchObject(
      refusedWith('asks for failed, not succeeded'),
    );
    for (const body of [{ outcome: 'failed' }, { note }, { outcome: 'odd', note }])
      expect(await decline(bert, body)).toMatchObject({ status: 400 });
    expect((await decline(bert)).body.data).toMatchObject({
      settle_request: null,
      may: ['settle'],
    });
    expect(await decline(bert)).toMatchObject(refusedWith('there is no request'));
    expect(await rowOf(id)).toMatchObject({ status: 'unknown' });
    const declineOf = async () =>
      (await anna.get(`/api/withdrawals/${id}`)).body.data.settle_decline;
    const reason = 'a•••@mail.example';
    expect(await declineOf()).toMatchObject({
      outcome: 'failed',
      asked_by: anna.name,
      by: bert.name,
      note: reason,
    });
    expect((await actsOf(id)).at(-1)).toMatchObject({
      act: 'withdrawal.settle-decline',
      operator: bert.name,
      before: { outcome: 'failed', asked_by: anna.name, note },
      after: null,
      note: 'a@mail.example',
    });
    expect((await settle(bert, id)).body.data).toMatchObject({ settled: false });
    expect(await declineOf()).toBeNull();
    expect((await settle(anna, id)).body.data).toEqual({ settled: true });
  });

  it('settles once under parallel requests, and never for a single operator', async () => {
    const { id } = await unknown();
    const many = (who: DeskUser) => times(4, () => () => settle(who, id));
    // One operator tries to settle on two desks in parallel.
    const annaThere = sameSessionAt(otherDesk, anna);
    const waits = ({ body }: Answer) => body.data?.waits_for_second === true;
    const alone = await allAtOnce([...many(anna), ...many(annaThere)]);
    expect(alone.filter(waits)).toHaveLength(1);
    expect(alone.filter(isRefused)).toHaveLength(7);
    expect(await rowOf(id)).toMatchObject({ status: 'unknown' });
    const settles = ({ body }: Answer) => body.data?.settled === true;
    const second = await allAtOnce([...many(bert), ...many(anna)]);
    expect(second.filter(settles)).toHaveLength(1);
    expect(second.filter(isRefused)).toHaveLength(7);
    expect((await eventsOf(id)).filter(({ cause }) => cause === 'person')).toHaveLength(1);
    expect((await actsOf(id)).map(({ act, operator }) => `${act} ${operator}`)).toEqual([
      `withdrawal.settle-ask ${anna.name}`,
      `withdrawal.settle ${bert.name}`,
    ]);
  });

  it('accepts one of two parallel first requests, and either a settlement or its cancellation', async () => {
    const { id } = await unknown();
    const first = await Promise.all([settle(anna, id, 'succeeded'), settle(bert, id, 'failed')]);
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1);
    const { operator, proposal: outcome } = (await settleRequestOf(id))!;
    const [asker, other] = operator === anna.name ? [anna, bert] : [bert, anna];
    const [cancelled, settled] = await Promise.all([
      asker.post(`/api/withdrawals/${id}/settle/cancel`, { note }),
      settle(other, id, outcome),
    ]);
    const { status } = await rowOf(id);
    // If the cancellation was first, the other operator's request counts as a first request.
    if (settled.body.data?.settled) {
      expect(status).toBe(outcome);
      expect(cancelled.status).toBe(409);
    } else {
      expect(status).toBe('unknown');
      expect(cancelled.status).toBe(200);
    }
  });

  it('confirms only the request that the second operator has seen', async () => {
    const { id } = await unknown();
    await settle(anna, id);
    const now = (await settleRequestOf(id))!;
    const earlier = Object.assign(new ApprovalRequest(), now, {
      operator: 'carl',
      note: 'earlier',
    });
    const byTwo = desk.app.get(FourEyesSettlement);
    const read = vi.spyOn(byTwo, 'findRequest').mockResolvedValueOnce(earlier);
    expect(await settle(sameSessionAt(desk, bert), id)).toMatchObject(
      refusedWith('cancelled in the meantime'),
    );
    read.mockRestore();
    const found = vi.spyOn(EntityManager.prototype, 'findOneBy').mockResolvedValueOnce(earlier);
    const declined = byTwo.decline({ by: bert.name, note }, id, 'succeeded');
    await expect(declined).rejects.toThrow('there is no request');
    found.mockRestore();
    expect(await settleRequestOf(id)).toEqual(now);
    expect(await rowOf(id)).toMatchObject({ status: 'unknown' });
  });

  it('ignores a request made before another settlement or for another order', async () => {
    const { id } = await unknown();
    await settle(anna, id);
    // The game server's late response settles the withdrawal, and an operator then reopens it.
    await service.database.getRepository(Withdrawal).update(id, { status: 'failed' });
    expect(await settle(bert, id)).toMatchObject(refusedWith('to correct that, reopen it first'));
    const { body } = await bert.post(`/api/withdrawals/${id}/reopen`, { note });
    expect(body.data).toMatchObject({ withdrawal: { status: 'unknown' }, settle_request: null });
    expect((await settle(bert, id)).body.data).toMatchObject({ settled: false });
    // After a restore, the id belongs to another order.
    await service.database.getRepository(Withdrawal).update(id, { orderNo: `W-${id}-other` });
    expect((await settle(anna, id)).body.data).toMatchObject({ settled: false });
    expect(await settleRequestOf(id)).toMatchObject({
      operator: anna.name,
      orderNo: `W-${id}-other`,
    });
  });

  it('requires no second operator if desk.four_eyes_above is 0', async () => {
    const { id } = await unknown();
    const settings = desk.app.get(Settings);
    const { desk: before } = settings.current;
    try {
      settings.current.desk = { four_eyes_above: 0, instances: [] };
      expect((await settle(anna, id)).body.data).toEqual({ settled: true });
    } finally {
      settings.current.desk = before;
    }
  });
});

describe('POST /api/withdrawals/together', () => {
  const together = (who: DeskUser, ids: number[], outcome = 'failed', why = note) =>
    who.post('/api/withdrawals/together', { ids, outcome, note: why });
  const preview = async (who: DeskUser, ids: number[]) =>
    (await who.get(`/api/withdrawals/together?ids=${ids.join()}`)).body.data;
  const idsOf = async (...amounts: number[]) => {
    const ids: number[] = [];
    for (const amount of amounts) ids.push((await unknown(amount)).id);
    return ids;
  };
  const statusesOf = (ids: number[]) =>
    Promise.all(ids.map(async (id) => (await rowOf(id)).status));

  it('settles withdrawals whose sum one operator may settle, each with its own audit event', async () => {
    const ids = await idsOf(ABOVE - 300, 200, 100);
    expect(await preview(anna, ids)).toMatchObject({
      problem: null,
      amount: ABOVE,
      needs_two: false,
      withdrawals: ids.map((id) => ({ id, settle_request: null, balance_now: null })),
    });
    expect((await together(anna, ids)).body.data).toEqual({
      waits_for_second: false,
      results: ids.map((id) => ({ id, problem: null })),
    });
    expect(await statusesOf(ids)).toEqual(['failed', 'failed', 'failed']);
    for (const id of ids)
      expect(await actsOf(id)).toMatchObject([{ act: 'withdrawal.settle', operator: anna.name }]);
  });

  it('records that an operator has looked at each withdrawal', async () => {
    const ids = await idsOf(10, 20);
    await preview(anna, ids);
    const repository = service.database.getRepository(AuditEvent);
    for (const id of ids) {
      const subject = `withdrawal ${id}`;
      expect(await repository.findBy({ subject })).toMatchObject([
        { act: 'desk.view', operator: anna.name },
      ]);
    }
  });

  it('requires a second operator if the sum is above the threshold, although each amount is below it', async () => {
    const ids = await idsOf(ABOVE - 100, 200, 100);
    expect(await preview(anna, ids)).toMatchObject({ needs_two: true });
    expect((await together(anna, ids)).body.data).toEqual({ waits_for_second: true, results: [] });
    expect(await statusesOf(ids)).toEqual(['unknown', 'unknown', 'unknown']);
    // The first operator must not settle the proposed withdrawals alone, whether together or one by one.
    expect((await together(anna, ids)).body.data.results).toMatchObject(
      ids.map((id) => ({ id, problem: expect.stringContaining('second person') })),
    );
    expect(await settle(anna, ids[1]!, 'failed')).toMatchObject(refusedWith('second person'));
    expect((await together(bert, ids, 'succeeded')).body.data.results).toMatchObject(
      ids.map((id) => ({ id, problem: expect.stringContaining('asks for failed') })),
    );
    const [another] = await idsOf(50);
    expect(await together(bert, [...ids, another!])).toMatchObject(
      refusedWith(`decide these first, without the others: ${ids.join(', ')}`),
    );
    expect(await statusesOf([...ids, another!])).toEqual(Array(4).fill('unknown'));
    expect((await together(bert, ids, 'failed', 'seen too')).body.data.results).toEqual(
      ids.map((id) => ({ id, problem: null })),
    );
    expect(await statusesOf(ids)).toEqual(['failed', 'failed', 'failed']);
    expect((await eventsOf(ids[2]!)).at(-1)).toMatchObject({
      evidence: `${anna.name} and ${bert.name}: ${note} / seen too`,
    });
  });

  it('proposes all withdrawals or none', async () => {
    const ids = await idsOf(LARGE, 100);
    await settle(bert, ids[0]!, 'succeeded');
    const found = vi.spyOn(desk.app.get(FourEyesSettlement), 'findRequest');
    // Another operator's proposal arrives after the requests were read.
    found.mockResolvedValue(null);
    expect(await together(sameSessionAt(desk, anna), ids.toReversed())).toMatchObject(
      refusedWith('was made at the same time'),
    );
    found.mockRestore();
    expect(await settleRequestOf(ids[1]!)).toBeNull();
  });

  it('never settles a sum above the threshold for a single operator under parallel requests', async () => {
    const ids = await idsOf(ABOVE, 1);
    const annaThere = sameSessionAt(desk, anna);
    const answers = await allAtOnce([
      ...times(3, () => () => together(anna, ids)),
      ...times(3, () => () => together(annaThere, ids.toReversed())),
    ]);
    expect(answers.filter(({ body }) => body.data?.waits_for_second === true)).toHaveLength(1);
    expect(await statusesOf(ids)).toEqual(['unknown', 'unknown']);
    await allAtOnce(times(4, () => () => together(bert, ids)));
    expect(await statusesOf(ids)).toEqual(['failed', 'failed']);
    for (const id of ids)
      expect((await actsOf(id)).map(({ act, operator }) => `${act} ${operator}`)).toEqual([
        `withdrawal.settle-ask ${anna.name}`,
        `withdrawal.settle ${bert.name}`,
      ]);
  });

  it('rejects withdrawals of two servers, a settled one and a malformed list', async () => {
    const [here, there] = [await unknown(100), await unknown(100)];
    const { id: elsewhere } = await addServer(service.database);
    await service.database.getRepository(Withdrawal).update(there.id, { roleServerId: elsewhere });
    const both = [here.id, there.id];
    expect(await preview(anna, both)).toMatchObject({
      problem: expect.stringMatching('same server'),
    });
    expect(await together(anna, both)).toMatchObject(refusedWith('same server'));
    await settle(anna, there.id);
    expect(await together(anna, both)).toMatchObject(
      refusedWith('already has the status succeeded; to correct that'),
    );
    expect(await rowOf(here.id)).toMatchObject({ status: 'unknown' });
    for (const ids of [undefined, [], ['1'], [0], Array(51).fill(here.id)])
      expect(
        (await anna.post('/api/withdrawals/together', { ids, outcome: 'failed', note })).status,
      ).toBe(400);
    expect((await anna.get('/api/withdrawals/together?ids=1;2')).status).toBe(400);
  });
});

describe('POST /api/withdrawals/:id/reopen', () => {
  it('reopens a settled withdrawal and rejects an open one', async () => {
    const { id } = await unknown(300);
    const reopen = () => anna.post(`/api/withdrawals/${id}/reopen`, { note });
    expect(await reopen()).toMatchObject(refusedWith('only a settled one'));
    await settle(anna, id, 'failed');
    expect((await anna.get(`/api/withdrawals/${id}`)).body.data.may).toEqual(['reopen']);
    expect((await reopen()).body.data).toMatchObject({ withdrawal: { status: 'unknown' } });
    expect((await anna.get('/api/withdrawals/2000000000')).body.error).toBe('not_found');
  });
});
