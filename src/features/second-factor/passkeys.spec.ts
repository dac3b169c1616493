import { describe, expect, it } from 'vitest';
import { challengeOf } from './passkeys.js';

const clientData = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');

describe('challengeOf', () => {
  it("finds the challenge in a browser's response", () => {
    const response = { clientDataJSON: clientData({ challenge: 'AbC_-' }), transports: ['usb'] };
    expect(challengeOf({ response })).toBe('AbC_-');
    expect(challengeOf({ response: { ...response, userHandle: null } })).toBe('AbC_-');
  });

  it.each(['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature'])(
    'finds no challenge if %s is an object, without reading its length',
    (field) => {
      let reads = 0;
      const huge = {
        get length() {
          reads++;
          return 1;
        },
      };
      const fields = { clientDataJSON: clientData({ challenge: 'AbC_-' }) };
      expect(challengeOf({ response: { ...fields, [field]: huge } })).toBeUndefined();
      expect(reads).toBe(0);
    },
  );

  it.each([undefined, null, 7, 'text', [], {}, { clientDataJSON: 'bnVsbA' }])(
    'finds no challenge in %j',
    (response) => expect(challengeOf({ response })).toBeUndefined(),
  );
});
