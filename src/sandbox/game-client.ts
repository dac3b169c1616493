import { createHash, createHmac } from 'node:crypto';
import { Router, json } from 'express';
import type { Exchanges } from './exchanges.js';
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

/** Simulates the game client. The page shows what the front end handed over and checks it as a game server would. */
export function gameClientPages(service: ServiceClient): Router {
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
    verify(service, account, token).then((rows) => response.json(rows), next);
  });

  return router;
}

/** Checks an arriving player as a game server would. Returns rows of name, result and tone. */
async function verify(service: ServiceClient, account: string, token: string): Promise<string[][]> {
  const check = await service.ask('POST', '/api/check', { account, token });
  const rows = [
    check.data
      ? ['/api/check', `right, format ${check.data.format}`, 'good']
      : ['/api/check', String(check.error), 'bad'],
  ];
  for (const id of FORUM_IDS) {
    const path = `/api/link?connect_id=${id}`;
    const { data } = await service.ask('GET', path);
    if (data?.account === account) rows.push([path, account, 'good']);
  }
  return rows;
}

interface ServiceAnswer {
  data?: Record<string, string>;
  error?: string;
}

/** Calls the service as a game server would, and signs the calls if a secret is set. */
export class ServiceClient {
  constructor(
    private readonly url: string,
    private readonly secret: string | undefined,
    private readonly exchanges: Exchanges,
  ) {}

  async ask(method: string, path: string, content?: object): Promise<ServiceAnswer> {
    const body = content === undefined ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const digest = createHash('sha256').update(body).digest('hex');
    const signedText = [timestamp, method, path, digest].join('\n');
    const headers: Record<string, string> = {
      ...(content && { 'Content-Type': 'application/json' }),
      ...(this.secret !== undefined && {
        'X-Timestamp': timestamp,
        'X-Signature': createHmac('sha256', this.secret).update(signedText).digest('hex'),
      }),
    };
    const response = await fetch(this.url + path, { method, headers, body: body || undefined });
    const text = await response.text();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.exchanges.add({
      title: `Sent ${method} ${path}`,
      ...(this.secret !== undefined && { signedText }),
      request: [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\n'),
      response: `HTTP/1.1 ${response.status}\n\n${text}`,
    });
    return JSON.parse(text) as ServiceAnswer;
  }
}
