import { unique } from '../accounts.js';
import type { WebTestbed } from './web-testbed.js';

/** Pages must show this markup as text. */
export const HOSTILE = '<img src=x onerror=window.hit=1>';
export const REQUEST_ID = 'request-of-the-night';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

export interface DeskFixture {
  account: string;
  player: number;
  hostile: number;
  server: number;
  /** The amount of this unknown withdrawal requires only one operator. */
  small: number;
  large: number;
}

/** Adds a player with password guesses and open withdrawals, two servers, and some chat. */
export async function createDeskFixture(site: WebTestbed): Promise<DeskFixture> {
  const { database } = site;
  const server = await site.addServer({ name: 'Sand Keep', gm_port: 9 });
  await site.addServer({ name: `Moon ${HOSTILE}`, status: 'maintenance' });
  const account = await site.createAccount(`${unique('wanderer')}@example.com`);
  const player = (await site.player(account)).id as number;
  const hostile = await database.insert('player', { account: HOSTILE, password: '-' });
  await insertLogins(site, player, account);
  await database.insert('player_zone', {
    player_id: player,
    server_id: server,
    entered_at: minutesAgo(30),
    enter_count: 44,
  });
  await database.insert('player_connect_threeparty', {
    player_id: player,
    provider: 'forum',
    connect_id: unique('c'),
    created_at: minutesAgo(9000),
  });
  const order = (amount: number, role_id: number, role_name: string, status = 'unknown') =>
    insertWithdrawal(site, {
      player_id: player,
      server_id: server,
      role_server_id: server,
      role_id,
      role_name,
      amount,
      status,
    });
  await order(300, 1, 'Warrior', 'succeeded');
  const small = await order(500, 2, 'Wizard');
  const large = await order(25_000, 3, HOSTILE);
  await insertChat(site, server, account);
  return { account, player, hostile, server, small, large };
}

async function insertLogins(site: WebTestbed, player_id: number, account: string): Promise<void> {
  const login = (minutes: number, outcome: string, tries: number, address: string) => ({
    created_at: minutesAgo(minutes),
    way: 'login',
    outcome,
    tries,
    player_id,
    account,
    address,
    device: HOSTILE,
    request_id: REQUEST_ID,
  });
  await site.database.insert(
    'login_event',
    login(50, 'ok', 1, '203.0.113.9'),
    login(1, 'bad_credentials', 70, '198.51.100.7'),
    login(0.5, 'login_throttled', 9, '198.51.100.7'),
  );
}

async function insertWithdrawal(
  site: WebTestbed,
  withdrawal: Record<string, number | string> & { amount: number; status: string },
): Promise<number> {
  const order_no = unique('order');
  const { amount, status } = withdrawal;
  const id = await site.database.insert('withdraw', {
    ...withdrawal,
    order_no,
    created_at: minutesAgo(80),
    sent_at: minutesAgo(80),
    settled_at: status === 'unknown' ? null : minutesAgo(79),
  });
  const event = (
    from_status: string | null,
    to_status: string,
    cause: string,
    evidence: string,
  ) => ({
    withdraw_id: id,
    from_status,
    to_status,
    cause,
    evidence,
    created_at: minutesAgo(80),
  });
  await site.database.insert(
    'withdraw_event',
    event(null, 'created', 'request', `asked for ${amount}`),
    event('created', 'sending', 'balance', `order ${order_no}`),
    event('sending', status, 'gm', `the game server said ${HOSTILE}`),
  );
  return id;
}

async function insertChat(site: WebTestbed, server_id: number, account: string): Promise<void> {
  const lines = [
    'who guards the gate tonight?',
    `sell yuanbao ${HOSTILE}`,
    '八点集合',
    'good night',
  ];
  await site.database.insert(
    'chat',
    ...lines.map((content, index) => ({
      server_id,
      account,
      role_name: 'Warrior',
      channel: 'world',
      content,
      time: minutesAgo(20 - index),
    })),
  );
}
