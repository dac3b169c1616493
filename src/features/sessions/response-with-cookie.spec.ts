import { expect, it } from 'vitest';
import { signInResponse } from './response-with-cookie.js';

it('an answer with a cookie cannot be written into a body', () => {
  expect(() => JSON.stringify({ code: 0, data: signInResponse({ id: 1 }, 'secret') })).toThrow(
    /SessionCookieInterceptor/,
  );
});
