import { describe, expect, it } from 'vitest';
import { unique } from '../support/accounts.js';
import { startApp } from '../support/api/app.js';
import { Browser } from '../support/api/browser.js';
import { agreeAs, cancel, startForum } from '../support/servers/forum.js';

const PUBLIC_URL = 'https://play.example';
const CALLBACK = `${PUBLIC_URL}/api/forumauth/callback`;

describe('The forum login with an OpenID provider', () => {
  it.each(['body', 'header'] as const)(
    'works with the client secret in the %s',
    async (secretIn) => {
      const forum = await startForum({ publicUrl: PUBLIC_URL, secretIn });
      const service = await startApp({ env: forum.env });
      const name = unique('person');

      const landing = async (browser: Browser, answer: typeof agreeAs | typeof cancel) => {
        const start = `${PUBLIC_URL}/api/forumauth/authorize?return_to=/withdraw`;
        const callback = await browser.follow(start, CALLBACK, answer(browser, name));
        const { location } = await browser.visit(callback);
        expect(location).toMatch(/^https:\/\/play\.example\/signin#/);
        return new URLSearchParams(new URL(location!).hash.slice(1));
      };
      const logIn = async (browser: Browser) => {
        const { ticket, ...rest } = Object.fromEntries(await landing(browser, agreeAs));
        const { body } = await service.client.post('/api/forumauth/bind', { ticket });
        return { ...rest, ...body.data };
      };

      const browser = () => new Browser({ [PUBLIC_URL]: service.url });
      const first = await logIn(browser());
      expect(first).toMatchObject({ linked: '0', return_to: '/withdraw', created: true });
      const second = await logIn(browser());
      expect(second).toMatchObject({ linked: '1', created: false, account: first.account });
      const bindings = await service.client.get('/api/bind', { token: second.token });
      expect(bindings.body.data.bindings).toMatchObject([{ provider: 'forum', connect_id: name }]);
      expect([...(await landing(browser(), cancel))]).toEqual([
        ['error', 'forum_denied'],
        ['return_to', '/withdraw'],
      ]);

      await service.stop();
      await forum.stop();
    },
  );

  it('uses the path of PUBLIC_URL, and sets no Secure cookie without TLS', async () => {
    const forum = await startForum({ publicUrl: PUBLIC_URL });
    const env = { ...forum.env, PUBLIC_URL: 'http://lan.example/gate/' };
    const behindPath = await startApp({ env });
    const { headers } = await behindPath.client.get('/api/forumauth/authorize');
    expect(headers.get('set-cookie')).toContain('Path=/gate/api/forumauth');
    expect(headers.get('set-cookie')).not.toContain('Secure');
    expect(new URL(headers.get('location')!).searchParams.get('redirect_uri')).toBe(
      'http://lan.example/gate/api/forumauth/callback',
    );
    await behindPath.stop();
    await forum.stop();
  });
});
