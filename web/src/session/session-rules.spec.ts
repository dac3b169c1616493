import { describe, expect, it } from 'vitest';
import { describeDevice } from './device';
import { ownLanding, readLanding } from './forum-landing';
import { readAccount } from './token';

describe('The return from the forum', () => {
  it("is read only from the sign-in page's URL fragment", () => {
    const hash = '#ticket=abc.def&linked=1&return_to=%2Fwithdraw&nonce=0123456789abcdef';
    expect(readLanding('/signin', hash)).toEqual({
      ticket: 'abc.def',
      nonce: '0123456789abcdef',
      linked: true,
      name: null,
      returnTo: '/withdraw',
      error: null,
    });
    expect(readLanding('/', hash)).toBeUndefined();
    expect(readLanding('/signin', '#main')).toBeUndefined();
  });

  it('never leads to another site or shows text from the URL', () => {
    expect(readLanding('/signin', '#ticket=a&linked=0&return_to=//evil.example')?.returnTo).toBe(
      '/',
    );
    expect(readLanding('/signin', '#error=forum_denied')?.error).toBe('forum_denied');
    expect(readLanding('/signin', '#error=Send your password')?.error).toBe('internal_error');
  });

  it('is accepted only in the tab that started it', () => {
    const landing = readLanding('/signin', '#ticket=a&return_to=/withdraw&nonce=mine')!;
    expect(ownLanding(landing, 'mine')).toBe(landing);
    const dropped = { ticket: null, nonce: null, returnTo: '/', error: 'foreign_landing' };
    for (const nonce of ['another', '', null])
      expect(ownLanding(landing, nonce)).toMatchObject(dropped);
    for (const hash of ['#ticket=a', '#ticket=a&nonce=', '#ticket=a&nonce=null'])
      for (const nonce of ['mine', null])
        expect(ownLanding(readLanding('/signin', hash)!, nonce)).toMatchObject(dropped);
  });

  it('shows a generic message for an error that this tab did not cause', () => {
    const landing = readLanding('/signin', '#error=forum_denied&return_to=/withdraw')!;
    const dropped = { returnTo: '/', error: 'oauth_state_invalid' };
    expect(ownLanding(landing, 'mine')).toMatchObject(dropped);
    expect(ownLanding({ ...landing, nonce: 'mine' }, 'mine')).toMatchObject({
      error: 'forum_denied',
    });
  });
});

describe('The account name in a token', () => {
  const tokenOf = (claims: object) =>
    `e30.${btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims))))}.x`;

  it('is read, even with non-ASCII characters', () => {
    expect(readAccount(tokenOf({ account: '传奇_玩家' }))).toBe('传奇_玩家');
  });

  it.each(['', 'x', 'a.b.c', tokenOf({ account: 1 }), tokenOf({}), `e30.${btoa('null')}.x`])(
    'is undefined in %j',
    (token) => {
      expect(readAccount(token)).toBeUndefined();
    },
  );
});

describe("A session's device", () => {
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.1';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
  const wechat =
    'Mozilla/5.0 (Linux; Android 14; 2312DRA50C) AppleWebKit/537.36 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.47';

  it.each([
    [windows, { device: 'desktop', os: 'Windows 10.0', browse: 'Edge 130.0.1' }],
    [phone, { device: 'phone', os: 'iOS 17.5', browse: 'Safari 17.5' }],
    [wechat, { device: 'phone', os: 'Android 14', browse: 'WeChat 8.0.47' }],
  ])('is recognised from the user agent %j', (userAgent, device) => {
    expect(describeDevice({ userAgent })).toEqual(device);
  });

  it('fits the database column', () => {
    const device = describeDevice({ userAgent: 'x'.repeat(500) });
    for (const part of Object.values(device)) expect(part.length).toBeLessThanOrEqual(64);
  });
});
