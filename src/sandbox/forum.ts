import { createHash, randomBytes } from 'node:crypto';
import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { escapeHtml, page } from './page.js';

const PEOPLE = [
  { id: 1001, username: 'Aria the Bold' },
  { id: 1002, username: '小龙女' },
  { id: 1003, username: 'Old Blacksmith' },
];
const CARRIED_PARAMETERS = ['client_id', 'redirect_uri', 'state', 'code_challenge'] as const;

export const FORUM_IDS = PEOPLE.map(({ id }) => String(id));

export interface ForumClient {
  id: string;
  secret: string;
  redirectUri: string;
}

type Form = Partial<Record<string, string>>;

const GRANT_SECONDS = 60;

interface Grant {
  person: number;
  challenge: string;
}

/** Simulates the forum with OAuth 2.0, PKCE and a consent page where you choose a forum user. */
export function forumPages(client: ForumClient): Router {
  const grants = new Map<string, Grant>();
  /** Creates a single-use code, or the token for which the code is exchanged. */
  const issue = (grant: Grant) => {
    const code = randomBytes(24).toString('base64url');
    grants.set(code, grant);
    setTimeout(() => grants.delete(code), GRANT_SECONDS * 1000).unref();
    return code;
  };
  const redeem = (code: string) => {
    const grant = grants.get(code);
    grants.delete(code);
    return grant;
  };
  const fromOurClient = (request: Request, response: Response, next: NextFunction) => {
    const { client_id, redirect_uri } = { ...request.query, ...(request.body as Form) };
    if (client_id === client.id && redirect_uri === client.redirectUri) next();
    else response.status(400).type('html').send(page('Forum', UNKNOWN_CLIENT));
  };
  const router = Router().use(urlencoded({ extended: false }));

  router.get('/', (_request, response) => {
    response.type('html').send(page('Forum', peopleTable()));
  });

  router.get('/authorize', fromOurClient, (request, response) => {
    response.type('html').send(page('The forum asks', consentForm(request)));
  });

  router.post('/consent', fromOurClient, (request, response) => {
    const { person, state = '', code_challenge: challenge = '' } = request.body as Form;
    const answer = new URL(client.redirectUri);
    answer.searchParams.set('state', state);
    if (person) answer.searchParams.set('code', issue({ person: Number(person), challenge }));
    else answer.searchParams.set('error', 'access_denied');
    response.redirect(303, answer.href);
  });

  router.post('/token', (request, response) => {
    const {
      code = '',
      code_verifier: verifier = '',
      client_id,
      client_secret,
    } = request.body as Form;
    const grant = redeem(code);
    const isClient = client_id === client.id && client_secret === client.secret;
    if (isClient && grant?.challenge === createHash('sha256').update(verifier).digest('base64url'))
      response.json({
        access_token: issue({ person: grant.person, challenge: '' }),
        token_type: 'Bearer',
        expires_in: GRANT_SECONDS,
      });
    else response.status(400).json({ error: 'invalid_grant' });
  });

  router.get('/userinfo', (request, response) => {
    const token = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '')?.[1] ?? '';
    const grant = redeem(token);
    const person = PEOPLE.find(({ id }) => id === grant?.person);
    if (person) response.json(person);
    else response.status(401).json({ error: 'invalid_token' });
  });

  return router;
}

function peopleTable(): string {
  const rows = PEOPLE.map(
    ({ id, username }) => `<tr><td>${id}</td><td>${escapeHtml(username)}</td></tr>`,
  );
  return `<p>These people have an account at the forum.</p>
    <table><thead><tr><th>id</th><th>name</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function consentForm({ query }: Request): string {
  const hidden = CARRIED_PARAMETERS.map((name) => {
    const value = query[name];
    return `<input type="hidden" name="${name}" value="${escapeHtml(typeof value === 'string' ? value : '')}">`;
  });
  const buttons = PEOPLE.map(
    ({ id, username }) =>
      `<button class="primary" name="person" value="${id}">Continue as ${escapeHtml(username)}</button>`,
  );
  return `<p>Gatehouse would like to know who you are.</p>
    <form method="post" action="/sandbox/forum/consent">${hidden.join('')}
    <div class="choices">${buttons.join('')}<button name="person" value="">No, go back</button></div></form>`;
}

const UNKNOWN_CLIENT = '<p class="bad">This forum does not know the site that sent you here.</p>';
