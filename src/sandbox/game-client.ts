import { Router, json } from 'express';
import { FORUM_IDS } from './forum.js';
import { page } from './page.js';

const SCRIPT = `
const handed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const fill = (id, rows) => {
  const body = document.getElementById(id);
  body.replaceChildren(...rows.map(([name, value, tone]) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    const cell = document.createElement('td');
    head.textContent = name;
    cell.textContent = value;
    if (tone) cell.className = tone;
    row.append(head, cell);
    return row;
  }));
};
const shown = { ...handed, ...(handed.token ? { token: handed.token.slice(0, 24) + '…' } : {}) };
fill('handed', Object.entries(shown));
fetch('/sandbox/client/verify', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ account: handed.account ?? '', token: handed.token ?? '' }),
})
  .then((answer) => answer.json())
  .then((rows) => fill('verified', rows));
`;

/** A stand-in game client: shows what the front end handed over and checks it as a game server would. */
export function gameClientPages(serviceUrl: string): Router {
  const router = Router();

  router.get('/', (_request, response) => {
    const tables = `
      <p>The front end handed this over in the URL's fragment:</p>
      <table><tbody id="handed"></tbody></table>
      <p>The game server asked Gatehouse about it:</p>
      <table><tbody id="verified"><tr><td>asking…</td></tr></tbody></table>`;
    response
      .type('html')
      .send(page('You are in the game', tables, { script: '/sandbox/client/client.js' }));
  });

  router.get('/client.js', (_request, response) => {
    response.type('js').send(SCRIPT);
  });

  router.post('/verify', json(), (request, response, next) => {
    const { account = '', token = '' } = request.body as Record<string, string>;
    verify(serviceUrl, account, token).then((rows) => response.json(rows), next);
  });

  return router;
}

/** The checks of a game server when a player arrives, as rows of name, answer and tone. */
async function verify(serviceUrl: string, account: string, token: string): Promise<string[][]> {
  const check = await ask(`${serviceUrl}/api/check`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account, token }),
  });
  const rows = [
    check.data
      ? ['/api/check', `right, format ${check.data.format}`, 'good']
      : ['/api/check', String(check.error), 'bad'],
  ];
  for (const id of FORUM_IDS) {
    const { data } = await ask(`${serviceUrl}/api/link?connect_id=${id}`);
    if (data?.account === account) rows.push([`/api/link?connect_id=${id}`, account, 'good']);
  }
  return rows;
}

interface ServiceAnswer {
  data?: Record<string, string>;
  error?: string;
}

async function ask(url: string, options?: RequestInit): Promise<ServiceAnswer> {
  return (await (await fetch(url, options)).json()) as ServiceAnswer;
}
