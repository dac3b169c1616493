// Each page of the desk's API as an operator opens it: its name, and its path for the n-th call.
import { OPERATORS, requestIdOf } from './fill.mjs';
import { accountOf } from './population.mjs';

export const NOW = 'now';
const DAY_MS = 86_400_000;

/** `victim` is a player at whom strangers guess. */
export function deskPages({ players, chat, withdrawals, servers, asked, owners, victim }) {
  const id = (n) => asked[n % asked.length];
  const owner = (n) => owners[n % owners.length];
  const server = (n) => (n % servers) + 1;
  const chatServer = (n) => (n % 20) + 1;
  const past = (n, days) =>
    new Date(Date.now() - ((n % 50) + 1) * (days / 51) * DAY_MS).toISOString();
  const talker = (n) => `player${(n * 61) % 9973}`;
  const middle = Date.parse('2026-11-10T12:00:00Z');
  // Ten minutes somewhere in the whole stretch of the chat.
  const span = (n) => {
    const from = middle + ((n % 50) / 50 - 0.5) * chat * 864 * 0.9;
    const at = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
    return `since=${at(from)}&until=${at(from + 600_000)}`;
  };
  const line = (n) => Math.floor(((n % 50) + 1) * (chat / 52));
  const order = (n) => Math.floor(((n % 50) + 1) * (withdrawals / 52));
  const operator = (n) => `operator${n % OPERATORS}`;
  const begin = (n) => accountOf(id(n)).slice(0, -4);
  return [
    [NOW, () => '/api/now'],
    ['players: id', (n) => `/api/players?q=${id(n)}`],
    ['players: name', (n) => `/api/players?q=${accountOf(id(n))}`],
    ['players: mailbox', (n) => `/api/players?q=${accountOf(id(n))}@mail.example`],
    ['players: connect_id', (n) => `/api/players?q=connect:${id(n)}`],
    ['players: a name in Chinese', (n) => `/api/players?q=${encodeURIComponent(`屠龙${n}`)}`],
    ['players: beginning of names', (n) => `/api/players?q=${begin(n)}`],
    ['players: all, next page', (n) => `/api/players?q=&after=${accountOf(id(n))}`],
    ['player', (n) => `/api/players/${owner(n)}`],
    ['player, timeline', (n) => `/api/players/${owner(n)}/timeline`],
    [
      'player, timeline before a day',
      (n) => `/api/players/${owner(n)}/timeline?before=${past(n, 80)}`,
    ],
    ['player guessed at', () => `/api/players/${victim}`],
    ['player guessed at, search', () => `/api/players?q=id:${victim}`],
    ['player guessed at, timeline', (n) => `/api/players/${victim}/timeline?before=${past(n, 60)}`],
    ['withdrawals', () => '/api/withdrawals'],
    ['withdrawals: unknown', () => '/api/withdrawals?status=unknown'],
    [
      'withdrawals: succeeded, next page',
      (n) => `/api/withdrawals?status=succeeded&before=${order(n)}`,
    ],
    ['withdrawals: server', (n) => `/api/withdrawals?server=${server(n)}`],
    [
      'withdrawals: server and refused',
      (n) => `/api/withdrawals?server=${server(n)}&status=refused`,
    ],
    ['withdrawals: account', (n) => `/api/withdrawals?account=${accountOf(owner(n))}`],
    ['withdrawals: since', (n) => `/api/withdrawals?since=${past(n, 300)}`],
    ['withdrawals: next page', (n) => `/api/withdrawals?before=${order(n)}`],
    ['withdrawal', (n) => `/api/withdrawals/${order(n)}`],
    ['request: a sign-in', (n) => `/api/requests/${requestIdOf(id(n))}`],
    ['request: nobody knows it', (n) => `/api/requests/nobody-knows-${n}`],
    ['servers', () => '/api/servers'],
    ['chat', () => '/api/chat'],
    ['chat: server', (n) => `/api/chat?server=${chatServer(n)}`],
    ['chat: server and time', (n) => `/api/chat?server=${chatServer(n)}&${span(n)}`],
    ['chat: time, all servers', (n) => `/api/chat?${span(n)}`],
    ['chat: account', (n) => `/api/chat?account=${talker(n)}`],
    ['chat: account and server', (n) => `/api/chat?account=${talker(n)}&server=${chatServer(n)}`],
    ['chat: next page', (n) => `/api/chat?server=${chatServer(n)}&before=${line(n)}`],
    [
      'chat: words of many lines, server',
      (n) => `/api/chat?server=${chatServer(n)}&words=trade&before=${line(n)}`,
    ],
    [
      'chat: words of no line, server',
      (n) => `/api/chat?server=${chatServer(n)}&words=needle&before=${line(n)}`,
    ],
    ['chat: words of no line, all servers', (n) => `/api/chat?words=needle&before=${line(n)}`],
    ['chat: around a line', (n) => `/api/chat/${line(n)}/around`],
    ['audit', () => '/api/audit'],
    ['audit: by', (n) => `/api/audit?by=${operator(n)}`],
    ['audit: act', (n) => `/api/audit?act=player.disable&until=${past(n, 300)}`],
    ['audit: by and act', (n) => `/api/audit?by=${operator(n)}&act=desk.view`],
    ['audit: subject', (n) => `/api/audit?subject=player%20${(n * 977) % players}`],
    ['audit: time', (n) => `/api/audit?since=${past(n + 1, 300)}&until=${past(n, 300)}`],
  ];
}
