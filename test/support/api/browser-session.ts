import { Environment } from '../../../src/platform/config/environment.js';
import type { TestApp } from './app.js';
import type { Answer, Client } from './client.js';

const NAME = 'gatehouse_session';

/** Acts as a browser that stays signed in: keeps the cookie and sends it with the front end's origin. */
export class BrowserSession {
  token = '';

  constructor(
    private readonly client: Client,
    private readonly origin: string,
    public cookie = '',
  ) {}

  static of({ app, client }: TestApp): BrowserSession {
    return new BrowserSession(client, new URL(app.get(Environment).FRONTEND_URL).origin);
  }

  /** Returns another browser with the same cookie, such as a thief's. */
  copy(): BrowserSession {
    return new BrowserSession(this.client, this.origin, this.cookie);
  }

  async signIn(account: string, password: string, request = {}): Promise<Answer> {
    const body = { account, password, remember: true };
    return this.keep(await this.client.post('/api/login', body, request));
  }

  async refresh(headers: Record<string, string> = {}): Promise<Answer> {
    return this.keep(await this.post('/api/session/refresh', headers));
  }

  async logout(headers: Record<string, string> = {}): Promise<Answer> {
    return this.keep(await this.post('/api/logout', headers));
  }

  private post(path: string, headers: Record<string, string>): Promise<Answer> {
    return this.client.send('POST', path, {
      headers: { Origin: this.origin, Cookie: `other=1; ${NAME}=${this.cookie}`, ...headers },
    });
  }

  private keep(answer: Answer): Answer {
    this.cookie = cookieOf(answer) ?? this.cookie;
    this.token = answer.body.data?.token ?? this.token;
    return answer;
  }
}

/** Returns the cookie's value, which is empty if the response deletes the cookie and undefined if it sets none. */
export function cookieOf({ headers }: Answer): string | undefined {
  const [header] = headers
    .getSetCookie()
    .filter((each) => each.replace('__Secure-', '').startsWith(`${NAME}=`));
  return header?.split(';')[0]!.split('=')[1];
}
