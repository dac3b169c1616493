import { expect } from 'vitest';
import { PlainForum } from '../servers/plain-forum.js';
import { startApp, type TestApp } from './app.js';
import { Browser } from './browser.js';

const PUBLIC_URL = 'https://play.example';
export const AUTHORIZE = `${PUBLIC_URL}/api/forumauth/authorize`;
export const CALLBACK = `${PUBLIC_URL}/api/forumauth/callback`;
export const SIGN_IN = 'https://www.example/game/signin#';

/** Holds a service and a forum whose responses the test decides. */
export class ForumLogin {
  private constructor(
    readonly service: TestApp,
    readonly forum: PlainForum,
  ) {}

  static async start(): Promise<ForumLogin> {
    const forum = await PlainForum.start(PUBLIC_URL);
    const env = { ...forum.env, FRONTEND_URL: 'https://www.example/game/' };
    return new ForumLogin(await startApp({ env }), forum);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.forum.stop();
  }

  newBrowser(): Browser {
    return new Browser({ [PUBLIC_URL]: this.service.url });
  }

  /** Logs in at the forum and returns the callback URL without visiting it. */
  toCallback(browser: Browser, returnTo?: string, nonce?: string): Promise<string> {
    const query = new URLSearchParams({
      ...(returnTo !== undefined && { return_to: returnTo }),
      ...(nonce !== undefined && { nonce }),
    });
    return browser.follow(`${AUTHORIZE}?${query.toString()}`, CALLBACK);
  }

  /** Visits the callback URL and returns what the front end receives. */
  async land(browser: Browser, callback: string): Promise<Record<string, string>> {
    const { status, headers, location = '' } = await browser.visit(callback);
    expect(status).toBe(302);
    expect(location.startsWith(SIGN_IN)).toBe(true);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    return Object.fromEntries(new URLSearchParams(location.slice(SIGN_IN.length)));
  }

  async complete(returnTo?: string): Promise<Record<string, string>> {
    const browser = this.newBrowser();
    return this.land(browser, await this.toCallback(browser, returnTo));
  }
}
