import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { md5, PASSWORD, unique } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import {
  EVENT_SECRET,
  EventReceiver,
  type ReceivedEvent,
} from '../../support/api/event-receiver.js';
import {
  type Gatehouse,
  isReady,
  spawnGatehouse,
  startGatehouse,
} from '../../support/servers/gatehouse-process.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';
import { until } from '../../support/until.js';

const PLAYERS = 25;
const LINKS = 5;
/** An instance sends this many requests concurrently. */
const WORKERS = 10;

interface Person {
  id: number;
  account: string;
  token: string;
}

let deployment: Deployment;
let database: Connection;
let receiver: EventReceiver;
let folder: string;
let instances: Gatehouse[];
let clients: Client[];
let people: Person[];

beforeAll(async () => {
  [deployment, receiver] = await Promise.all([freshDeployment(), EventReceiver.start()]);
  folder = temporaryFolder('events');
  configure('settings.yaml', { delivers: true });
  const env = environment('settings.yaml');
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
  clients = instances.map(({ url }) => new Client(url));
  database = await createConnection(deployment.url);
  people = await Promise.all(Array.from({ length: PLAYERS }, signIn));
});
afterAll(async () => {
  await database.end();
  await Promise.all(instances.map((instance) => instance.kill()));
  await Promise.all([receiver.stop(), deployment.drop()]);
  removeFolder(folder);
});

/** Writes a settings file. If it forbids the endpoint's host, an instance stores events, but delivers none. */
function configure(file: string, { delivers }: { delivers: boolean }): void {
  const settings = {
    rate_limit: { per_minute: 100_000 },
    challenge: { mode: 'off' },
    game_hosts: delivers ? [] : ['192.0.2.1'],
    events: [{ name: 'game', url: `${receiver.url}&settings=${file}` }],
  };
  writeFileSync(join(folder, file), stringify(settings));
}

function environment(file: string) {
  const SETTINGS_FILE = join(folder, file);
  return { ...deployment.env, EVENT_SECRETS: `game=${EVENT_SECRET}`, SETTINGS_FILE };
}

async function signIn(_: unknown, index: number): Promise<Person> {
  const account = unique('p');
  await database.query('INSERT INTO player (account, password) VALUES (?, ?)', [
    account,
    md5(PASSWORD),
  ]);
  const answer = await clients[index % 2]!.post('/api/login', { account, password: PASSWORD });
  expect(answer.status).toBe(200);
  const { token } = answer.body.data;
  const [[row]] = await database.query<RowDataPacket[]>('SELECT id FROM player WHERE account = ?', [
    account,
  ]);
  return { id: Number(row!.id), account, token };
}

async function count(rows: string): Promise<number> {
  const [[row]] = await database.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${rows}`);
  return Number(row!.n);
}

const untilTaken = () => until(async () => (await count('event_queue')) === 0);

async function link({ account }: Person, client: Client, provider = 'forum'): Promise<string> {
  const identity = unique('c');
  const body = { account, provider, connect_id: identity };
  const { status, text } = await client.post('/api/bind_account', body);
  expect(status, text).toBe(200);
  return identity;
}

/** Links and unlinks identities at alternating instances, and adds the events that this must cause. */
async function linkAndUnlink(person: Person, index: number, expected: string[]): Promise<void> {
  for (let n = 0; n < LINKS; n++) {
    const [one, other] = [clients[(index + n) % 2]!, clients[(index + n + 1) % 2]!];
    const identity = await link(person, one);
    const { token } = person;
    const { status } = await other.post('/api/unbind', { provider: 'forum' }, { token });
    expect(status).toBe(200);
    expected.push(`player.linked ${identity}`, `player.unlinked ${identity}`);
  }
}

async function countDelivered(client: Client): Promise<number> {
  const { text } = await client.get('/api/metrics');
  const found = /deliveries_total{endpoint="game",outcome="delivered"} (\d+)/.exec(text);
  return Number(found?.[1]);
}

/** Returns a player's events in the order of their first arrival. */
const arrivals = ({ id }: Person) =>
  receiver
    .of(id)
    .filter((event, index, all) => all.findIndex((other) => other.id === event.id) === index)
    .map(({ type, data }) => `${type} ${String(data.connect_id)}`);

describe('Events of many players at two instances', () => {
  it('arrive once each, and in order for each player, while both instances deliver', async () => {
    const expected: string[][] = people.map(() => []);
    let shares: number[];
    let rounds = 0;
    // On a busy machine, one instance may deliver all events of a round.
    do {
      rounds++;
      await Promise.all(
        people.map((person, index) => linkAndUnlink(person, index, expected[index]!)),
      );
      await untilTaken();
      shares = await Promise.all(clients.map(countDelivered));
    } while (Math.min(...shares) === 0);
    expect(people.map(arrivals)).toEqual(expected);
    const all = rounds * PLAYERS * LINKS * 2;
    expect(receiver.events).toHaveLength(all);
    expect(receiver.events.every(({ isGenuine }) => isGenuine)).toBe(true);
    expect(await count(`event_outbox WHERE status <> 'delivered' OR tries > 0`)).toBe(0);
    expect(shares[0]! + shares[1]!).toBe(all);
  });

  it('tell which ban is in force even if another one is lifted at the same time', async () => {
    const { id } = people[0]!;
    const ban = async (reason: string, until_: Date | null) => {
      await database.query(
        `INSERT INTO player_ban (player_id, scope, reason, until) VALUES (?, 'withdraw', ?, ?)`,
        [id, reason, until_],
      );
    };
    const toldOf = (reason: string) =>
      receiver.of(id).filter(({ data }) => data.reason === reason).length;
    await ban('for good', null);
    await until(() => toldOf('for good') === 1);
    const [[first]] = await database.query<RowDataPacket[]>(
      'SELECT id FROM player_ban WHERE player_id = ?',
      [id],
    );
    const operator = await createConnection(deployment.url);
    await operator.query('START TRANSACTION');
    await operator.query('UPDATE player_ban SET lifted_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      first!.id,
    ]);
    await ban('a year', new Date(Date.now() + 365 * 86_400_000));
    const waits = `information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`;
    // InnoDB does not refresh this table while it is read more than ten times a second.
    await until(async () => (await count(waits)) > 0 || toldOf('for good') > 1, { every: 250 });
    await operator.query('COMMIT');
    await operator.end();
    await until(() => toldOf('a year') > 0);
    expect(toldOf('for good')).toBe(1);
  });
});

describe('Events of an instance that is killed', () => {
  const VICTIM = 'victim.yaml';
  const cameFromVictim = ({ path }: ReceivedEvent) => path.endsWith(VICTIM);
  const cameFromOthers = (event: ReceivedEvent) => !cameFromVictim(event);
  const pauses = ({ logs }: Gatehouse) => logs().split('the events for game wait').length;
  let proxy: TcpProxy;
  let victim: Gatehouse;

  beforeAll(async () => {
    proxy = await TcpProxy.start(Number(new URL(deployment.url).port));
  });
  beforeEach(async () => {
    const before = instances.map(pauses);
    configure('settings.yaml', { delivers: false });
    await until(() => instances.every((one, index) => pauses(one) > before[index]!));
    receiver.events.length = 0;
  });
  afterEach(async () => {
    receiver.answer = (_, response) => void response.end();
    await killVictim();
    proxy.heal();
    await letOthersDeliver();
  });
  afterAll(() => proxy.stop());

  /** Does not wait until the victim is ready, because the victim delivers as soon as it can. */
  async function startVictim({ delivers }: { delivers: boolean }): Promise<void> {
    configure(VICTIM, { delivers });
    const env = environment(VICTIM);
    const url = new URL(env.DATABASE_URL);
    url.port = String(proxy.port);
    victim = await spawnGatehouse({ ...env, DATABASE_URL: url.href });
  }

  /** Also waits for the statements that the database had already received. */
  async function killVictim(): Promise<void> {
    await victim.kill();
    const list = proxy.hosts.map((host) => `'${host}'`).join();
    const connections = `information_schema.processlist WHERE host IN (${list})`;
    await until(async () => (await count(connections)) === 0);
  }

  /** Ends all leases, which only the dead instance can hold. */
  async function letLeasesEnd(): Promise<void> {
    await database.query('UPDATE event_queue SET due_at = UTC_TIMESTAMP(3)');
  }

  async function letOthersDeliver(): Promise<void> {
    configure('settings.yaml', { delivers: true });
    await untilTaken();
  }

  /** Links every player several times, and returns the events that the receiver must get about each player. */
  function announceAll(): Promise<string[][]> {
    return Promise.all(
      people.map(async (person, index) => {
        const told: string[] = [];
        for (let n = 0; n < LINKS; n++)
          told.push(`player.linked ${await link(person, clients[index % 2]!, unique('p'))}`);
        return told;
      }),
    );
  }

  async function findWaiting(): Promise<string[]> {
    const sql = `SELECT webhook_id AS id FROM event_outbox WHERE status = 'waiting' AND tries = 0`;
    const [rows] = await database.query<RowDataPacket[]>(sql);
    return rows.map(({ id }) => String(id));
  }

  /** Checks that the other instances resend once what was in flight at the kill, and no other event. */
  function expectRepeatsOnlyOf(inFlight: string[]): void {
    const ids = new Set(receiver.events.map(({ id }) => id));
    const byVictim = receiver.events
      .filter(cameFromVictim)
      .filter(({ id }) => inFlight.includes(id));
    expect(receiver.events.length - ids.size).toBe(byVictim.length);
  }

  it('arrive once if it had committed them and had sent none', async () => {
    await startVictim({ delivers: false });
    await victim.process.waitUntil(() => isReady(victim.url));
    const insert = [/INSERT INTO event_outbox/, /COMMIT/];
    const committed = proxy.holdAt({ statements: insert, at: 'answer' });
    const [person] = people;
    const linked = link(person!, new Client(victim.url), unique('p')).catch(() => undefined);
    await committed;
    await killVictim();
    expect(await linked).toBeUndefined();
    expect(receiver.events).toEqual([]);
    await letOthersDeliver();
    expect(receiver.typesOf(person!.id)).toEqual(['player.linked']);
  });

  it('arrive again only if the receiver had not responded', async () => {
    const expected = await announceAll();
    const held: string[] = [];
    receiver.answer = (event, response) => {
      if (cameFromVictim(event)) held.push(event.id);
      else response.end();
    };
    await startVictim({ delivers: true });
    await until(() => held.length >= WORKERS);
    configure('settings.yaml', { delivers: true });
    // The other instances deliver everything except the events that the victim's requests hold up.
    await until(async () => (await count('event_queue')) <= WORKERS);
    const waiting = await findWaiting();
    const sentByOthers = receiver.events.filter(cameFromOthers).map(({ id }) => id);
    expect(sentByOthers.filter((id) => waiting.includes(id))).toEqual([]);
    await killVictim();
    await letLeasesEnd();
    await untilTaken();
    expect(people.map(arrivals)).toEqual(expected);
    expectRepeatsOnlyOf(held);
  });

  it.each([
    ['had leased them', /UPDATE event_queue SET due_at/, 'answer'],
    ['had not stored the answer', /UPDATE event_outbox SET status/, 'statement'],
  ] as const)('arrive in order, and again only if it %s', async (_, statement, at) => {
    const expected = await announceAll();
    const reached = proxy.holdAt({ statements: [statement], at });
    await startVictim({ delivers: true });
    await reached;
    await killVictim();
    const waiting = await findWaiting();
    await letLeasesEnd();
    await letOthersDeliver();
    expect(people.map(arrivals)).toEqual(expected);
    const inFlight = receiver.events
      .filter(cameFromVictim)
      .filter(({ id }) => waiting.includes(id));
    if (at === 'statement') expect(inFlight.length).toBeGreaterThan(0);
    expectRepeatsOnlyOf(waiting);
  });
});
