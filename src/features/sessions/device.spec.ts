import { describe, expect, it } from 'vitest';
import { describeDevice, parseLoginDevice, parseUserAgent } from './device.js';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.1';
const WECHAT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36 MicroMessenger/8.0.47';
const TABLET =
  'Mozilla/5.0 (Linux; Android 13; SM-X900) AppleWebKit/537.36 Chrome/129.0 Safari/537.36';

describe("A session's device", () => {
  it.each([
    [WINDOWS, { device: 'desktop', os: 'Windows 10.0', browse: 'Edge 130.0.1' }],
    [WECHAT, { device: 'phone', os: 'Android 14', browse: 'WeChat 8.0.47' }],
    [TABLET, { device: 'tablet', os: 'Android 13', browse: 'Chrome 129.0' }],
    ['GameLauncher/2', { device: undefined, os: undefined, browse: 'GameLauncher/2' }],
    [undefined, {}],
    ['', {}],
  ])('is recognised from the user agent %j', (userAgent, device) => {
    expect(parseUserAgent(userAgent)).toEqual(device);
  });

  it('fits the database columns and contains no control characters', () => {
    expect(parseUserAgent(`${'x'.repeat(100)}/1`).browse).toHaveLength(64);
    expect(parseUserAgent('curl/8.5.0 https://evil.example').browse).toBe('curl/8.5.0');
    for (const text of ['evil.example/1', 'see evil.example', 'a\r\nBcc: b', '\u{1f47e}'])
      expect(parseUserAgent(text).browse).toBeUndefined();
    expect(parseUserAgent('x'.repeat(20_000)).browse).toBeUndefined();
  });

  it('has a readable description', () => {
    expect(describeDevice(parseUserAgent(WECHAT))).toBe('WeChat 8.0.47, Android 14, phone');
    expect(describeDevice({})).toBe('?');
  });
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

describe("A sign-in's device", () => {
  it.each([
    [IPHONE.slice(0, 128), { os: 'iOS 17.5', browse: 'Safari 17.5' }],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', { browse: 'Firefox 140.0' }],
    ['phone, iOS 19, Safari 19', { device: 'phone', os: 'iOS 19', browse: 'Safari 19' }],
    ['what a stranger typed', { device: 'what a stranger typed' }],
    [null, { device: null }],
  ])('that is stored as %j is shown as %j', (stored, device) => {
    expect(parseLoginDevice(stored)).toMatchObject(device);
  });
});
