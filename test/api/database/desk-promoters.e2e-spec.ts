import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import type { PromoterDay } from '../../../src/operators/actions/players/promoter-days.js';
import { unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { type DeskUser, type StaffedDesk, startStaffedDesk } from '../../support/api/desk.js';
import { addServer, createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

/** Nepal is 5 hours and 45 minutes ahead, so its days begin at 18:15 UTC. */
const timezone = 'Asia/Kathmandu';
const NORTH = 8101;
const GONE = 8109;
let staffed: StaffedDesk;
let service: TestApp;
let support: DeskUser;

beforeAll(async () => {
  staffed = await startStaffedDesk({ settings: { timezone } });
  ({ service, support } = staffed);
  await service.database.query(
    `INSERT INTO agent (id, name, active) VALUES (${NORTH}, 'north', 0)`,
  );
});
afterAll(() => staffed.stop());

async function player(registered: string, more: Partial<Player>): Promise<number> {
  const { id } = await createPlayer(service);
  const createdAt = new Date(registered);
  await service.database.getRepository(Player).update({ id }, { ...more, createdAt });
  return id;
}

async function withdraw(playerId: number, status: 'succeeded' | 'failed', amount: number) {
  const { id: serverId } = await addServer(service.database);
  await service.database.getRepository(Withdrawal).insert({
    playerId,
    serverId,
    roleServerId: serverId,
    roleId: 1,
    roleName: 'hero',
    amount,
    status,
    orderNo: unique('P'),
    createdAt: new Date(),
    settledAt: new Date(),
  });
}

/** Requests the default 30 days, as if it were noon UTC on 10 November 2026. */
function ask(): Promise<{ since: string; promoters: PromoterDay[]; unknown: PromoterDay[] }> {
  const ahead = (Date.parse('2026-11-10T12:00:00Z') - Date.now()) / 1000;
  return withClockAhead(ahead, async () => {
    const answer = await support.get('/api/promoters');
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  });
}

describe('GET /api/promoters', () => {
  it("counts each promoter's players by the day of their registration in the configured time zone", async () => {
    const entered = { agentId: NORTH, enteredAt: new Date() };
    const rich = await player('2026-11-08T18:15:00Z', entered);
    await player('2026-11-08T18:14:59Z', { agentId: NORTH });
    await player('2026-11-09T18:14:59Z', { agentId: NORTH });
    await player('2026-11-09T12:00:00Z', { agentId: null });
    await player('2026-10-10T18:14:59Z', { agentId: NORTH });
    await player('2026-10-10T18:15:00Z', { agentId: NORTH });
    const lost = await player('2026-11-09T12:00:00Z', { agentId: GONE });
    await withdraw(rich, 'succeeded', 300);
    await withdraw(rich, 'succeeded', 200);
    await withdraw(rich, 'failed', 999);
    await withdraw(lost, 'failed', 999);
    const found = await ask();
    const north = { promoter: NORTH, name: 'north', entered: 0, withdrew: 0, amount: 0 };
    expect(found).toEqual({
      timezone,
      since: '2026-10-11',
      promoters: [
        { ...north, day: '2026-11-09', registrations: 2, entered: 1, withdrew: 1, amount: 500 },
        { ...north, day: '2026-11-08', registrations: 1 },
        { ...north, day: '2026-10-11', registrations: 1 },
      ],
      unknown: [{ ...north, day: '2026-11-09', promoter: GONE, name: null, registrations: 1 }],
      total: 4,
    });
  });

  it('rejects more than 90 days', async () => {
    expect((await support.get('/api/promoters?days=91')).status).toBe(400);
  });
});
