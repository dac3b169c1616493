import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { md5, PASSWORD, unique } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import { EVENT_SECRET, EventReceiver } from '../../support/api/event-receiver.js';
import { type Gatehouse, startGatehouse } from '../../support/servers/gatehouse-process.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';
import { until } from '../../support/until.js';

const PLAYERS = 25;
const LINKS = 5;

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
  const settings = {
    rate_limit: { per_minute: 100_000 },
    challenge: { mode: 'off' },
    events: [{ name: 'game', url: receiver.url }],
  };
  writeFileSync(join(folder, 'settings.yaml'), stringify(settings));
  const env = {
    ...deployment.env,
    EVENT_SECRETS: `game=${EVENT_SECRET}`,
    SETTINGS_FILE: join(folder, 'settings.yaml'),
  };
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

async function link({ account }: Person, client: Client): Promise<string> {
  const identity = unique('c');
  const body = { account, provider: 'forum', connect_id: identity };
  const { status } = await client.post('/api/bind_account', body);
  expect(status).toBe(200);
  return identity;
}

/** Links and unlinks identities at alternating instances, and adds what events must tell. */
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

/** Returns each player's events by the order of their first arrival. */
const arrivals = ({ id }: Person) =>
  receiver
    .of(id)
    .filter((event, index, all) => all.findIndex((other) => other.id === event.id) === index)
    .map(({ type, data }) => `${type} ${String(data.connect_id)}`);

describe('Events of many players at two instances', () => {
  it('arrive once each and in the order of each player while both instances deliver', async () => {
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

  it('tell which ban is in force although another one is lifted at the same time', async () => {
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
    // InnoDB does not renew what this table shows while it is read more than ten times a second.
    await until(async () => (await count(waits)) > 0 || toldOf('for good') > 1, { every: 250 });
    await operator.query('COMMIT');
    await operator.end();
    await until(() => toldOf('a year') > 0);
    expect(toldOf('for good')).toBe(1);
  });
});
