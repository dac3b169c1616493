import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Acts as a plain OAuth 2.0 forum that signs `person` in and can misbehave. */
export class PlainForum {
  person: unknown = 'nobody';
  /** Tests replace these handlers to make the forum misbehave. */
  token: Handler = (request, response, body) => this.giveToken(request, response, body);
  userInfo: Handler = (request, response) => this.giveUserInfo(request, response);
  calls: string[] = [];
  private readonly grants = new Map<
    string,
    { challenge: string; redirectUri: string; person: unknown }
  >();
  private readonly people = new Map<string, unknown>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  private constructor(private readonly publicUrl: string) {}

  static async start(publicUrl: string): Promise<PlainForum> {
    const forum = new PlainForum(publicUrl);
    await once(forum.server.listen(0, '127.0.0.1'), 'listening');
    return forum;
  }

  private get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get env(): Record<string, string> {
    return {
      PUBLIC_URL: this.publicUrl,
      FORUM_AUTHORIZE_URL: `${this.url}/index.php?app=oauth`,
      FORUM_TOKEN_URL: `${this.url}/token`,
      FORUM_USERINFO_URL: `${this.url}/user`,
      FORUM_CLIENT_ID: 'gatehouse',
      FORUM_CLIENT_SECRET: 'secret-of-the-plain-forum',
      FORUM_ID_FIELD: 'user.id',
    };
  }

  behave(): void {
    this.token = (request, response, body) => this.giveToken(request, response, body);
    this.userInfo = (request, response) => this.giveUserInfo(request, response);
    this.calls = [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const body = await text(request);
    this.calls.push(url.pathname);
    if (url.pathname === '/index.php') this.authorize(url.searchParams, response);
    else if (url.pathname === '/token') this.token(request, response, body);
    else if (url.pathname === '/user') this.userInfo(request, response, body);
    else response.writeHead(404).end();
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    const asked =
      query.get('app') === 'oauth' &&
      query.get('response_type') === 'code' &&
      query.get('client_id') === 'gatehouse' &&
      query.get('code_challenge_method') === 'S256';
    if (!asked) return void response.writeHead(400).end(query.toString());
    const code = randomBytes(12).toString('hex');
    const challenge = query.get('code_challenge') ?? '';
    this.grants.set(code, { challenge, redirectUri, person: this.person });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    response.writeHead(302, { Location: back.href }).end();
  }

  private giveToken(_request: IncomingMessage, response: ServerResponse, body: string): void {
    const form = new URLSearchParams(body);
    const grant = this.grants.get(form.get('code') ?? '');
    this.grants.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const right =
      grant !== undefined &&
      form.get('client_secret') === 'secret-of-the-plain-forum' &&
      form.get('redirect_uri') === grant.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge;
    if (!right) {
      sendJson(response, { error: 'invalid_grant' }, 400);
      return;
    }
    const token = randomBytes(12).toString('hex');
    this.people.set(token, grant.person);
    sendJson(response, { access_token: token, token_type: 'bearer' });
  }

  private giveUserInfo(request: IncomingMessage, response: ServerResponse): void {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.people.has(token)) sendJson(response, { error: 'invalid_token' }, 401);
    else sendJson(response, { user: { id: this.people.get(token), name: 'Somebody' } });
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
