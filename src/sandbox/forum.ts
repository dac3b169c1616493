import { createHash, randomBytes } from 'node:crypto';
import { type Request, Router, urlencoded } from 'express';
import type Libsql from 'libsql';
import { escapeHtml, page } from './page.js';

const PEOPLE = [
  { id: 1001, username: 'Aria the Bold' },
  { id: 1002, username: '小龙女' },
  { id: 1003, username: 'Old Blacksmith' },
];
const CARRIED = ['client_id', 'redirect_uri', 'state', 'code_challenge'] as const;
const LIFETIME_MS = 60_000;

export interface ForumClient {
  id: string;
  secret: string;
  redirectUri: string;
}

export const FORUM_IDS = PEOPLE.map(({ id }) => String(id));

/** A forum that lets one say who one is: OAuth 2.0 with PKCE, and a consent page with a few people on it. */
export function forumPages(store: Libsql.Database, client: ForumClient): Router {
  store.exec(`
    CREATE TABLE IF NOT EXISTS forum_grant (
      code TEXT PRIMARY KEY, person INTEGER NOT NULL, challenge TEXT NOT NULL, expires_at INTEGER NOT NULL
    )`);
  const keep = store.prepare('INSERT INTO forum_grant VALUES (?, ?, ?, ?)');
  const find = store.prepare(
    'SELECT person, challenge FROM forum_grant WHERE code = ? AND expires_at > ?',
  );
  const remove = store.prepare('DELETE FROM forum_grant WHERE code = ? OR expires_at <= ?');

  const grant = (person: number, challenge: string) => {
    const code = randomBytes(24).toString('base64url');
    keep.run(code, person, challenge, Date.now() + LIFETIME_MS);
    return code;
  };
  const redeem = (code: string) => {
    const found = find.get(code, Date.now()) as { person: number; challenge: string } | undefined;
    remove.run(code, Date.now());
    return found;
  };
  const isOurs = (request: Request) => {
    const { client_id, redirect_uri } = { ...request.query, ...request.body };
    return client_id === client.id && redirect_uri === client.redirectUri;
  };

  const router = Router().use(urlencoded({ extended: false }));

  router.get('/', (_request, response) => {
    const people = PEOPLE.map(
      ({ id, username }) => `<tr><td>${id}</td><td>${escapeHtml(username)}</td></tr>`,
    );
    const table = `<table><thead><tr><th>id</th><th>name</th></tr></thead><tbody>${people.join('')}</tbody></table>`;
    response
      .type('html')
      .send(page('Forum', `<p>These people have an account at the forum.</p>${table}`));
  });

  router.get('/authorize', (request, response) => {
    if (!isOurs(request))
      return void response.status(400).type('html').send(page('Forum', UNKNOWN_CLIENT));
    const hidden = CARRIED.map(
      (name) =>
        `<input type="hidden" name="${name}" value="${escapeHtml(String(request.query[name] ?? ''))}">`,
    );
    const buttons = PEOPLE.map(
      ({ id, username }) =>
        `<button class="primary" name="person" value="${id}">Go on as ${escapeHtml(username)}</button>`,
    );
    response.type('html').send(
      page(
        'The forum asks',
        `<p>Gatehouse would like to know who you are.</p>
         <form method="post" action="/sandbox/forum/consent">${hidden.join('')}
         <div class="choices">${buttons.join('')}<button name="person" value="">No, go back</button></div></form>`,
      ),
    );
  });

  router.post('/consent', (request, response) => {
    if (!isOurs(request))
      return void response.status(400).type('html').send(page('Forum', UNKNOWN_CLIENT));
    const { person, state, code_challenge: challenge } = request.body as Record<string, string>;
    const answer = new URL(client.redirectUri);
    answer.searchParams.set('state', state ?? '');
    if (person) answer.searchParams.set('code', grant(Number(person), challenge ?? ''));
    else answer.searchParams.set('error', 'access_denied');
    response.redirect(303, answer.href);
  });

  router.post('/token', (request, response) => {
    const {
      code,
      code_verifier: verifier,
      client_id,
      client_secret,
    } = request.body as Record<string, string>;
    const granted = redeem(code ?? '');
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    if (
      client_id !== client.id ||
      client_secret !== client.secret ||
      granted?.challenge !== challenge
    )
      return void response.status(400).json({ error: 'invalid_grant' });
    const token = grant(granted.person, '');
    response.json({ access_token: token, token_type: 'Bearer', expires_in: LIFETIME_MS / 1000 });
  });

  router.get('/userinfo', (request, response) => {
    const granted = redeem(/^Bearer (.+)$/.exec(request.get('Authorization') ?? '')?.[1] ?? '');
    const person = PEOPLE.find(({ id }) => id === granted?.person);
    if (person) response.json(person);
    else response.status(401).json({ error: 'invalid_token' });
  });

  return router;
}

const UNKNOWN_CLIENT = '<p class="bad">This forum does not know the site that sent you here.</p>';
