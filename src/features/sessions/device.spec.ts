import { describe, expect, it } from 'vitest';
import { describeDevice, parseUserAgent } from './device.js';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.1';
const WECHAT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36 MicroMessenger/8.0.47';
const TABLET =
  'Mozilla/5.0 (Linux; Android 13; SM-X900) AppleWebKit/537.36 Chrome/129.0 Safari/537.36';

describe('The device of a session', () => {
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

  it('fits its columns and contains no control characters', () => {
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
