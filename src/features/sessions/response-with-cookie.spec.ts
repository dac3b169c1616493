import { describe, expect, it } from 'vitest';
import { signInResponse } from './response-with-cookie.js';

describe('signInResponse', () => {
  it('throws when it is serialised with its cookie into a body', () => {
    expect(() => JSON.stringify({ code: 0, data: signInResponse({ id: 1 }, 'secret') })).toThrow(
      /SessionCookieInterceptor/,
    );
  });
});
