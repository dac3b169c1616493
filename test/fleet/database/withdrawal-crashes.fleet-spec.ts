import { request as post } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { WithdrawalSweeper } from '../../../src/features/withdraw/background/withdrawal-sweeper.js';
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

/** The other instance runs in this process, straight on the databases; the one that suffers talks through proxies. */
let w: Withdrawals;
let accounts: TcpProxy;
let servers: TcpProxy;
let instance: Gatehouse | undefined;

beforeAll(async () => {
  // Whoever is killed while the game server hangs must not have given up on it before.
  w = await Withdrawals.start({ gm_timeout: 10 });
  // Rounds begin with a test alone: on a busy machine 30 s may pass before it has looked at what a kill left.
  for (const timer of w.service.app.get(WithdrawalSweeper)['timers']) clearInterval(timer);
  accounts = await TcpProxy.start(Number(new URL(accountDatabase()).port));
  servers = await TcpProxy.start(w.world.mariadb.port);
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
  /** Where the talk with the account database stops; or else the game server's fault, which hangs. */
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
    when: 'before sending is written',
    step: before(becomes('sending')),
    applied: 0,
    left: 'created',
    swept: 'failed',
    repeated: 503,
  },
  {
    when: 'after sending is written',
    step: after(becomes('sending'), commit),
    applied: 0,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'while the game server hangs and has not applied',
    fault: 'hang_before',
    applied: 0,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'while the game server hangs and has applied',
    fault: 'hang_after',
    applied: 1,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'after its answer, before it is written',
    step: before(becomes('succeeded')),
    applied: 1,
    left: 'sending',
    swept: 'unknown',
    repeated: 202,
  },
  {
    when: 'after it is written, before ours',
    step: after(becomes('succeeded'), commit),
    applied: 1,
    left: 'succeeded',
    swept: 'succeeded',
    repeated: 200,
  },
];

describe('kill -9', () => {
  interface Victim {
    rich: FundedRole;
    answer: Promise<unknown>;
    reachedAt: number;
  }
  const victims = new Map<Death, Victim>();

  async function bring({ step, fault, applied }: Death): Promise<Victim> {
    const rich = await w.createFundedRole(1000);
    const known = w.game.ledger.size;
    const reached = step
      ? accounts.holdAt(step)
      : until(() => w.game.ledger.size > known && (!applied || ledgerOf(rich) === 1));
    w.game.fault = () => fault ?? 'none';
    const client = new Client(instance!.url);
    const answer = w.withdraw(rich, 100, { key: 'k', client }).catch(() => 'dead');
    await reached;
    return { rich, answer, reachedAt: performance.now() };
  }

  /** A process takes all of them with it that come to their places within a second: a statement may wait for 3. */
  async function killWith(deaths: Death[]): Promise<void> {
    instance = await start();
    victims.clear();
    let end = Infinity;
    for (const death of deaths) {
      if (performance.now() > end) break;
      const victim = await bring(death);
      victims.set(death, victim);
      end = Math.min(end, victim.reachedAt + 1000);
    }
    await kill();
    // On a busy machine the last one may take long, and the first may have been answered meanwhile.
    const tooLongAgo = performance.now() - 2500;
    for (const [death, { reachedAt }] of victims) if (reachedAt < tooLongAgo) victims.delete(death);
    w.game.fault = () => 'none';
  }

  it.each(DEATHS)('$when', async (death) => {
    const { applied, left, swept, repeated } = death;
    // On a busy machine the next process starts only now, and sweeps: what the last one left has been looked at.
    while (!victims.has(death)) await killWith(DEATHS.slice(DEATHS.indexOf(death)));
    const { rich, answer } = victims.get(death)!;
    expect(await answer).toBe('dead');

    // The database lets go of what the dead one held a moment later.
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
  });

  it('is noticed when the service starts again', async () => {
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

describe('the account database lost', () => {
  beforeAll(async () => {
    instance ??= await start();
  });
  const ask = (rich: FundedRole) =>
    w.withdraw(rich, 100, { key: 'k', client: new Client(instance!.url) });

  it.each([
    ['before the insert', before(insert), 'none'],
    ['with the word that the insert was committed', after(insert, commit), 'created'],
    ['before sending is written', before(becomes('sending')), 'created'],
    ['with the word that sending was committed', after(becomes('sending'), commit), 'sending'],
  ])('%s: nothing is sent', async (_, step, left) => {
    const rich = await w.createFundedRole(1000);
    const lost = accounts.cutAt(step);
    const answer = await ask(rich);
    await lost;
    expect(answer.body.error).toBe('service_unavailable');
    expect(await statusOf(rich)).toBe(left);
    expect(ledgerOf(rich)).toBe(0);
    accounts.heal();
    await until(async () => (await fetch(`${instance!.url}/api/health/ready`)).status === 200);
  });

  it.each([
    ['before the outcome is written', before(becomes('succeeded')), 'sending'],
    ['with the word that it was', after(becomes('succeeded'), commit), 'succeeded'],
  ])(
    '%s: the client is told unknown, and it is written as soon as it can be',
    async (_, step, left) => {
      const rich = await w.createFundedRole(1000);
      const lost = accounts.cutAt(step);
      const answer = await ask(rich);
      await lost;
      expect(answer.status).toBe(202);
      expect(answer.body.data.status).toBe('unknown');
      expect(await statusOf(rich)).toBe(left);
      accounts.heal();
      await until(async () => (await statusOf(rich)) === 'succeeded', { within: 15_000 });
      expect(ledgerOf(rich)).toBe(1);
    },
  );

  it('between the check and the balance, the game database lost: nothing is sent', async () => {
    const rich = await w.createFundedRole(1000);
    const read = /FROM `actors`/;
    const lost = servers.cutAt(before(read, read));
    const answer = await ask(rich);
    await lost;
    expect(answer.body.error).toBe('game_server_unavailable');
    expect(await statusOf(rich)).toBe('failed');
    expect(ledgerOf(rich)).toBe(0);
  });
});

describe('SIGTERM', () => {
  it('waits for a call whose client has gone', async () => {
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

describe('when the game servers can be asked', () => {
  it('nothing of all this stays open, and both sides tell the same', async () => {
    expect(await w.rows({ status: 'unknown' })).not.toEqual([]);
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    await w.age(200);
    await w.sweep();
    for (const { id, status } of await w.rows())
      expect(['succeeded', 'refused', 'failed'], `${id}`).toContain(status);
  });
});
