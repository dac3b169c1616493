import { expect, it } from 'vitest';
import { signedIn } from './cookie-answer.js';

it('an answer with a cookie cannot be written into a body', () => {
  expect(() => JSON.stringify({ code: 0, data: signedIn({ id: 1 }, 'secret') })).toThrow(
    /SessionCookieInterceptor/,
  );
});
