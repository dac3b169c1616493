import { request as post } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { Client } from '../../support/api/client.js';
import { type Fault, QUERY_OP } from '../../support/api/game-server.js';
import { type Gatehouse, startGatehouse } from '../../support/servers/gatehouse-process.js';
import { type Step, TcpProxy } from '../../support/servers/tcp-proxy.js';
import { until } from '../../support/until.js';
import {
  expectLedgersToAgree,
  GM_TIMEOUT,
  type FundedRole,
  Withdrawals,
} from '../../support/api/withdrawals.js';

/** The instance in this process stays up; the one to be killed reaches its databases through proxies. */
let w: Withdrawals;
let accounts: TcpProxy;
let servers: TcpProxy;
let instance: Gatehouse | undefined;

beforeAll(async () => {
  // The timeout is so long that the instance is killed while it waits for the game server.
  w = await Withdrawals.start({ gm_timeout: 10 });
  accounts = await TcpProxy.start(Number(new URL(accountDatabase()).port));
  servers = await TcpProxy.start(w.world.port);
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.dropHanging();
  accounts.heal();
  servers.heal();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(async () => {
  await kill();
  await accounts.stop();
  await servers.stop();
  await w.stop();
});

function accountDatabase(): string {
  return w.service.app.get(Environment).DATABASE_URL!;
}

async function kill(): Promise<void> {
  await instance?.kill();
  instance = undefined;
}

function start(): Promise<Gatehouse> {
  const { JWT_SECRET, PASSWORD_KEY, GM_SECRET } = w.service.app.get(Environment);
  const url = new URL(accountDatabase());
  url.port = String(accounts.port);
  return startGatehouse({
    DATABASE_URL: url.href,
    GAME_DATABASE_URL: w.world.urlAt(servers.port),
    SETTINGS_FILE: w.service.settingsFile,
    JWT_SECRET,
    PASSWORD_KEY,
    GM_SECRET,
  });
}

const statusOf = async ({ role }: FundedRole) =>
  (await w.rows({ roleId: role }))[0]?.status ?? 'none';

const insert = /INSERT INTO withdraw \(/;
const commit = /COMMIT/;
const becomes = (status: string) => new RegExp(`UPDATE withdraw .*SET status = '${status}'`);
const before = (...statements: RegExp[]): Step => ({ statements, at: 'statement' });
const after = (...statements: RegExp[]): Step => ({ statements, at: 'answer' });

interface Death {
  when: string;
  /** The account database stops responding at this statement. Without a statement, the game server hangs. */
  step?: Step;
  fault?: Fault;
  applied: 0 | 1;
  left: string;
  swept: string;
  repeated: number;
}

const DEATHS: Death[] = [
  {
    when: 'before the insert',
    step: before(insert),
    applied: 0,
    left: 'none',
    swept: 'none',
    repeated: 200,
  },
  {
    when: 'after the insert, before its commit',
    step: before(insert, commit),
    applied: 0,
    left: 'none',
    swept: 'none',
    repeated: 200,
  },
  {
    when: 'after the insert',
    step: after(insert, commit),
    applied: 0,
    left: 'created',
    swept: 'failed',
    repeated: 503,
  },
  {
    when: 'before the status sending is stored',
    step: before(becomes('sending')),
    applied: 0,
    left: 'created',
    swept: 'failed',
    repeated: 503,
  },
  {
    when: 'after the status sending is stored',
    step: after(becomes('sending'), commit),
    applied: 0,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'while the game server hangs before the deduction',
    fault: 'hang_before',
    applied: 0,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'while the game server hangs after the deduction',
    fault: 'hang_after',
    applied: 1,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: "before the game server's response is stored",
    step: before(becomes('succeeded')),
    applied: 1,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'after the outcome is stored and before the player gets the response',
    step: after(becomes('succeeded'), commit),
    applied: 1,
    left: 'succeeded',
    swept: 'succeeded',
    repeated: 200,
  },
];

describe('kill -9 during a withdrawal', () => {
  const cases = DEATHS.map((death) => [death.when, death.left, death.swept, death] as const);

  it.each(cases)(
    '%s leaves the withdrawal as %s, and the sweeper makes it %s',
    async (_when, _left, _swept, death) => {
      const { step, fault, applied, left, swept, repeated } = death;
      instance = await start();
      const rich = await w.createFundedRole(1000);
      const known = w.game.ledger.size;
      const reached = step
        ? accounts.holdAt(step)
        : until(() => w.game.ledger.size > known && (!applied || ledgerOf(rich) === 1));
      w.game.fault = () => fault ?? 'none';
      const client = new Client(instance.url);
      const answer = w.withdraw(rich, 100, { key: 'k', client }).catch(() => 'dead');
      await reached;
      await kill();
      w.game.fault = () => 'none';
      expect(await answer).toBe('dead');

      // The database needs a moment to roll back a dead client's transaction.
      await until(async () => (await statusOf(rich)) === left);
      expect(ledgerOf(rich)).toBe(applied);
      if (left === 'created' || left === 'sending') {
        const early = await w.withdraw(rich, 100, { key: 'k' });
        expect(early.body.error).toBe('idempotency_conflict');
        expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
      }
      await w.age(31, { roleId: rich.role });
      await w.sweep();
      expect(await statusOf(rich)).toBe(swept);

      const repeat = await w.withdraw(rich, 100, { key: 'k' });
      expect(repeat.status).toBe(repeated);
      expect(repeat.headers.get('idempotency-hit')).toBe(left === 'none' ? null : 'true');
      expect(ledgerOf(rich)).toBe(left === 'none' ? 1 : applied);
      const next = await w.withdraw(rich, 100);
      expect(next.status).toBe(swept === 'unknown' ? 409 : 200);
    },
  );

  it('is noticed at the next startup', async () => {
    instance = await start();
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_after';
    const unanswered = w.withdraw(rich, 100, { client: new Client(instance.url) }).catch(() => 0);
    await until(() => ledgerOf(rich) === 1);
    await kill();
    await unanswered;
    await w.age(31);
    instance = await start();
    await until(async () => (await statusOf(rich)) === 'unknown');
  });
});

function ledgerOf({ role }: FundedRole): number {
  const orders = [...w.game.ledger.values()].filter(({ roleId }) => roleId === role);
  return orders.reduce((sum, { applications }) => sum + applications, 0);
}

describe('During a withdrawal, the loss of a connection', () => {
  beforeAll(async () => {
    instance ??= await start();
  });
  const ask = (rich: FundedRole) =>
    w.withdraw(rich, 100, { key: 'k', client: new Client(instance!.url) });

  it.each([
    ['before the insert', before(insert), 'none', 'none'],
    ['together with the confirmation of the insert', after(insert, commit), 'created', 'created'],
    ['before the status sending is stored', before(becomes('sending')), 'created', 'failed'],
    [
      'together with the confirmation of the status sending',
      after(becomes('sending'), commit),
      'sending',
      'failed',
    ],
  ])(
    'to the account database %s prevents the order from being sent',
    async (_, step, left, then) => {
      const rich = await w.createFundedRole(1000);
      const lost = accounts.cutAt(step);
      const answer = await ask(rich);
      await lost;
      expect(answer.body.error).toBe('service_unavailable');
      expect(await statusOf(rich)).toBe(left);
      accounts.heal();
      await until(async () => (await fetch(`${instance!.url}/api/health/ready`)).status === 200);
      await until(async () => (await statusOf(rich)) === then, { within: 60_000 });
      expect(ledgerOf(rich)).toBe(0);
      if (then !== 'failed') return;
      const repeat = await ask(rich);
      expect(repeat.body.error).toBe('service_unavailable');
      expect(repeat.headers.get('idempotency-hit')).toBe('true');
      expect((await w.withdraw(rich, 100)).status).toBe(200);
    },
  );

  it.each([
    ['before the outcome is stored', before(becomes('succeeded')), 'sending'],
    [
      'together with the confirmation that the outcome was stored',
      after(becomes('succeeded'), commit),
      'succeeded',
    ],
  ])(
    'to the account database %s makes the response "unknown" until the outcome can be stored',
    async (_, step, left) => {
      const rich = await w.createFundedRole(1000);
      const lost = accounts.cutAt(step);
      const answer = await ask(rich);
      await lost;
      expect(answer.status).toBe(202);
      expect(answer.body.data.status).toBe('unknown');
      expect(await statusOf(rich)).toBe(left);
      accounts.heal();
      await until(async () => (await statusOf(rich)) === 'succeeded', { within: 60_000 });
      expect(ledgerOf(rich)).toBe(1);
    },
  );

  it('to the game database before the balance is read prevents the order from being sent', async () => {
    const rich = await w.createFundedRole(1000);
    const read = /FROM `actors`/;
    // The three reads are for the game name, the role and the balance.
    const lost = servers.cutAt(before(read, read, read));
    const answer = await ask(rich);
    await lost;
    expect(answer.body.error).toBe('game_server_unavailable');
    expect(await statusOf(rich)).toBe('failed');
    expect(ledgerOf(rich)).toBe(0);
  });
});

describe('SIGTERM during a withdrawal', () => {
  it('waits for the game server even if the client has disconnected', async () => {
    instance ??= await start();
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const request = post(`${instance.url}/api/game/withdraw`, {
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${rich.token}` },
    });
    request.on('error', () => undefined);
    request.end(JSON.stringify({ server_id: rich.server, role_id: rich.role, amount: 100 }));
    await until(() => w.game.hangingCount === 1);
    request.destroy();
    const stopped = instance.stop();
    await instance.process.waitForLine(/finishing the requests/);
    await w.game.release();
    expect(await stopped).toBe(0);
    instance = undefined;
    expect(await statusOf(rich)).toBe('succeeded');
  });
});

describe('gm_query_op', () => {
  it('settles every withdrawal that was left unknown', async () => {
    expect(await w.rows({ status: 'unknown' })).not.toEqual([]);
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    await w.age(200);
    await w.sweep();
    for (const { id, status } of await w.rows())
      expect(['succeeded', 'refused', 'failed'], `${id}`).toContain(status);
  });
});
