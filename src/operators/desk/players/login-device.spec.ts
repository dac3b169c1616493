import { expect, it } from 'vitest';
import { parseLoginDevice } from './login-device.js';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

it.each([
  [IPHONE.slice(0, 128), { os: 'iOS 17.5', browse: 'Safari 17.5' }],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', { browse: 'Firefox 140.0' }],
  ['what a stranger typed', { device: 'what a stranger typed' }],
  [null, { device: null }],
])('The device of a sign-in with %j is %j', (userAgent, device) => {
  expect(parseLoginDevice(userAgent)).toMatchObject(device);
});
