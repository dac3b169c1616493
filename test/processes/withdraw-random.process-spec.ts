import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { WITHDRAWAL_STATUSES } from '../../src/features/withdraw/record/withdrawal-status.js';
import { Client } from '../support/api/client.js';
import { FAULTS, QUERY_OP } from '../support/api/game-server.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { seededRandom } from '../support/seeded-random.js';
import { expectLedgersToAgree, type FundedRole, Withdrawals } from '../support/api/withdrawals.js';

const SEED = Number(process.env.WITHDRAW_SEED ?? randomInt(1_000_000));
const WITHDRAWALS = 320;
const KILLS = 6;
const AT_ONCE = 10;

let w: Withdrawals;
let instances: Gatehouse[];
let stillRunning = true;

const start = () => {
  const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, GM_SECRET } = w.service.app.get(Environment);
  return startGatehouse({
    DATABASE_URL,
    GAME_DATABASE_URL: w.world.urlAt(),
    SETTINGS_FILE: w.service.settingsFile,
    JWT_SECRET,
    PASSWORD_KEY,
    GM_SECRET,
  });
};

beforeAll(async () => {
  w = await Withdrawals.start({ gm_query_op: Number(QUERY_OP) });
  instances = await Promise.all([start(), start()]);
});
afterAll(async () => {
  stillRunning = false;
  await Promise.all(instances.map((instance) => instance.kill()));
  await w.stop();
});

/** Withdrawals that a client was told to have succeeded, by their key. */
const told = new Map<string, number>();
let kills = 0;

it(`${WITHDRAWALS} withdrawals among random faults and kills: none lost, none doubled (WITHDRAW_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const faults = seededRandom(SEED + 1);
  w.game.fault = () => (faults() < 0.5 ? 'none' : FAULTS[Math.floor(faults() * FAULTS.length)]!);

  const killers = instances.map((_, which) =>
    killNowAndThen(which, seededRandom(SEED + 2 + which)),
  );
  const roles: FundedRole[] = [];
  let asked = 0;
  const goOn = () => asked < WITHDRAWALS || kills < KILLS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (goOn()) {
        const key = `k${asked++}`;
        const rich = await w.createFundedRole(1000);
        roles.push(rich);
        await withdraw(rich, pick([100, 150, 400, 2000]), key, pick([0, 1]), pick([1, 1, 2, 3]));
      }
    }),
  );
  stillRunning = false;
  await Promise.all(killers);

  // Whatever is still without an outcome is asked for, as the sweeper does it minutes later.
  w.game.dropHanging();
  w.game.fault = () => 'none';
  for (let round = 0; round < 2; round++) {
    await w.age(200);
    await w.sweep();
  }
  const rows = await w.rows();
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const counts = WITHDRAWAL_STATUSES.map((status) => `${count(status)} ${status}`).join(', ');
  console.log(`WITHDRAW_SEED=${SEED}: ${kills} kills, ${rows.length} withdrawals: ${counts}`);
  expect(rows.length).toBeGreaterThanOrEqual(300);
  expect(count('unknown') + count('sending') + count('created')).toBe(0);
  expect(count('succeeded')).toBeGreaterThan(50);
  await expectLedgersToAgree(w.service.database, w.game.ledger);
  for (const { server, role } of roles) {
    const taken = rows.filter(({ roleId, status }) => roleId === role && status === 'succeeded');
    const sum = taken.reduce((total, { amount }) => total + amount, 0);
    expect(await w.world.balanceOf(server, role), `role ${role}`).toBe(1000 - sum);
  }
  for (const [idempotencyKey, id] of told)
    expect(rows.find((row) => row.id === id)).toMatchObject({
      idempotencyKey,
      status: 'succeeded',
    });
}, 600_000);

/** As a client does it that wants an answer: again, with the same key, where it got none. Copies go to both instances at once. */
async function withdraw(
  rich: FundedRole,
  amount: number,
  key: string,
  first: number,
  copies: number,
) {
  const send = async (copy: number) => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const client = new Client(instances[(first + copy + attempt) % instances.length]!.url);
      const answer = await w.withdraw(rich, amount, { key, client }).catch(() => undefined);
      if (answer?.status === 200) told.set(key, answer.body.data.id);
      if (answer) return;
      await pause(100);
    }
  };
  await Promise.all(Array.from({ length: copies }, (_, copy) => send(copy)));
}

async function killNowAndThen(which: number, random: () => number): Promise<void> {
  for (;;) {
    await pause(1500 + random() * 3000);
    if (!stillRunning) return;
    await instances[which]!.kill();
    kills++;
    instances[which] = await start();
  }
}
