import { unique } from '../api/factories.js';
import type { WebTestbed } from './web-testbed.js';

/** Whatever comes from outside may be this; nowhere may it become a part of the page. */
export const HOSTILE = '<img src=x onerror=window.hit=1>';
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE);

export interface DeskFixture {
  account: string;
  player: number;
  /** Whose name is markup. */
  hostile: number;
  server: number;
  /** Unknown: within what one person may settle, and above it. */
  small: number;
  large: number;
}

/** One night: a player who was locked out and waits for a withdrawal, a guesser, a server that fails, a loud chat. */
export async function createDeskFixture(stage: WebTestbed): Promise<DeskFixture> {
  const server = await stage.addServer({ name: 'Sand Keep', gm_port: 9 });
  await stage.addServer({ name: `Moon ${HOSTILE}`, status: 'maintenance' });
  const account = await stage.createAccount(`${unique('wanderer')}@example.com`);
  const player = await idOf(stage, account);
  await stage.sql('INSERT INTO player SET ?', [{ account: HOSTILE, password: '-' }]);
  const hostile = await idOf(stage, HOSTILE);
  await logins(stage, player, account);
  await stage.sql('INSERT INTO player_zone SET ?', [
    { player_id: player, server_id: server, entered_at: ago(30), enter_count: 44 },
  ]);
  await stage.sql('INSERT INTO player_connect_threeparty SET ?', [
    { player_id: player, provider: 'forum', connect_id: unique('c'), created_at: ago(9000) },
  ]);
  const order = (amount: number, role: number, role_name: string, status = 'unknown') =>
    withdrawal(stage, { player_id: player, server, amount, role, role_name, status });
  await order(300, 1, 'Warrior', 'succeeded');
  const small = await order(500, 2, 'Wizard');
  const large = await order(25_000, 3, HOSTILE);
  await chat(stage, server, account);
  return { account, player, hostile, server, small, large };
}

async function idOf(stage: WebTestbed, account: string): Promise<number> {
  const [row] = await stage.sql('SELECT id FROM player WHERE account = ?', [account]);
  return row!.id as number;
}

async function logins(stage: WebTestbed, player_id: number, account: string): Promise<void> {
  const event = (minutes: number, outcome: string, tries: number, address: string) =>
    stage.sql('INSERT INTO login_event SET ?', [
      {
        created_at: ago(minutes),
        way: 'login',
        outcome,
        tries,
        player_id,
        account,
        address,
        device: HOSTILE,
        request_id: 'request-of-the-night',
      },
    ]);
  await event(50, 'ok', 1, '203.0.113.9');
  await event(1, 'bad_credentials', 70, '198.51.100.7');
  await event(0.5, 'login_throttled', 9, '198.51.100.7');
}

async function withdrawal(
  stage: WebTestbed,
  given: Record<'player_id' | 'server' | 'amount' | 'role', number> &
    Record<'role_name' | 'status', string>,
): Promise<number> {
  const { player_id, server, amount, role, role_name, status } = given;
  const order_no = unique('order');
  const row = {
    player_id,
    server_id: server,
    role_server_id: server,
    role_id: role,
    role_name,
    amount,
  };
  const times = { created_at: ago(80), sent_at: ago(80) };
  const state = { status, noted_status: status, settled_at: status === 'unknown' ? null : ago(79) };
  await stage.sql('INSERT INTO withdraw SET ?', [{ ...row, ...times, ...state, order_no }]);
  const [{ id } = { id: 0 }] = await stage.sql('SELECT id FROM withdraw WHERE order_no = ?', [
    order_no,
  ]);
  const event = (from_status: string | null, to_status: string, cause: string, evidence: string) =>
    stage.sql('INSERT INTO withdraw_event SET ?', [
      { withdraw_id: id, from_status, to_status, cause, evidence, created_at: ago(80) },
    ]);
  await event(null, 'created', 'request', `asked for ${amount}`);
  await event('created', 'sending', 'balance', `order ${order_no}`);
  await event('sending', status, 'gm', `the game server said ${HOSTILE}`);
  return id as number;
}

async function chat(stage: WebTestbed, server_id: number, account: string): Promise<void> {
  const texts = [
    'who guards the gate tonight?',
    `sell yuanbao ${HOSTILE}`,
    '八点集合',
    'good night',
  ];
  for (const [place, content] of texts.entries())
    await stage.sql('INSERT INTO chat SET ?', [
      {
        server_id,
        account,
        role_name: 'Warrior',
        channel: 'world',
        content,
        time: ago(20 - place),
      },
    ]);
}
