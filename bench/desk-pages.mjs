// Lists the API requests of the desk's pages, each with a name and a function that returns the path of the n-th
// call.
import { OPERATORS, requestIdOf } from './fill.mjs';
import { accountOf } from './population.mjs';

export const NOW = 'now';
const DAY_MS = 86_400_000;

/** `victim` is a player whose password attackers guess. */
export function deskPages({ players, chat, withdrawals, servers, playerIds, owners, victim }) {
  const id = (n) => playerIds[n % playerIds.length];
  const owner = (n) => owners[n % owners.length];
  const server = (n) => (n % servers) + 1;
  const chatServer = (n) => (n % 20) + 1;
  const past = (n, days) =>
    new Date(Date.now() - ((n % 50) + 1) * (days / 51) * DAY_MS).toISOString();
  const chatAccount = (n) => `player${(n * 61) % 9973}`;
  const middle = Date.parse('2026-11-10T12:00:00Z');
  // Each call reads ten minutes from a different part of the chat history.
  const timeRange = (n) => {
    const from = middle + ((n % 50) / 50 - 0.5) * chat * 864 * 0.9;
    const at = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
    return `since=${at(from)}&until=${at(from + 600_000)}`;
  };
  const line = (n) => Math.floor(((n % 50) + 1) * (chat / 52));
  const order = (n) => Math.floor(((n % 50) + 1) * (withdrawals / 52));
  const operator = (n) => `operator${n % OPERATORS}`;
  const prefix = (n) => accountOf(id(n)).slice(0, -4);
  return [
    [NOW, () => '/api/now'],
    ['players: id', (n) => `/api/players?q=${id(n)}`],
    ['players: name', (n) => `/api/players?q=${accountOf(id(n))}`],
    ['players: mailbox', (n) => `/api/players?q=${accountOf(id(n))}@mail.example`],
    ['players: connect_id', (n) => `/api/players?q=connect:${id(n)}`],
    ['players: Chinese name', (n) => `/api/players?q=${encodeURIComponent(`屠龙${n}`)}`],
    ['players: name prefix', (n) => `/api/players?q=${prefix(n)}`],
    ['players: all, next page', (n) => `/api/players?q=&after=${accountOf(id(n))}`],
    ['player', (n) => `/api/players/${owner(n)}`],
    ['player, timeline', (n) => `/api/players/${owner(n)}/timeline`],
    [
      'player, timeline before a date',
      (n) => `/api/players/${owner(n)}/timeline?before=${past(n, 80)}`,
    ],
    ['player under attack', () => `/api/players/${victim}`],
    ['player under attack, search', () => `/api/players?q=id:${victim}`],
    [
      'player under attack, timeline',
      (n) => `/api/players/${victim}/timeline?before=${past(n, 60)}`,
    ],
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
    ['request: unknown', (n) => `/api/requests/unknown-${n}`],
    ['servers', () => '/api/servers'],
    ['chat', () => '/api/chat'],
    ['chat: server', (n) => `/api/chat?server=${chatServer(n)}`],
    ['chat: server and time', (n) => `/api/chat?server=${chatServer(n)}&${timeRange(n)}`],
    ['chat: time, all servers', (n) => `/api/chat?${timeRange(n)}`],
    ['chat: account', (n) => `/api/chat?account=${chatAccount(n)}`],
    [
      'chat: account and server',
      (n) => `/api/chat?account=${chatAccount(n)}&server=${chatServer(n)}`,
    ],
    ['chat: next page', (n) => `/api/chat?server=${chatServer(n)}&before=${line(n)}`],
    [
      'chat: frequent word, server',
      (n) => `/api/chat?server=${chatServer(n)}&words=trade&before=${line(n)}`,
    ],
    [
      'chat: no match, server',
      (n) => `/api/chat?server=${chatServer(n)}&words=needle&before=${line(n)}`,
    ],
    ['chat: no match, all servers', (n) => `/api/chat?words=needle&before=${line(n)}`],
    ['chat: context of a line', (n) => `/api/chat/${line(n)}/around`],
    ['audit', () => '/api/audit'],
    ['audit: by', (n) => `/api/audit?by=${operator(n)}`],
    ['audit: act', (n) => `/api/audit?act=player.disable&until=${past(n, 300)}`],
    ['audit: by and act', (n) => `/api/audit?by=${operator(n)}&act=desk.view`],
    ['audit: subject', (n) => `/api/audit?subject=player%20${(n * 977) % players}`],
    ['audit: time', (n) => `/api/audit?since=${past(n + 1, 300)}&until=${past(n, 300)}`],
  ];
}
