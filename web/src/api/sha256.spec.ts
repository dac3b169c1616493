import { expect, it } from 'vitest';
import { sha256 } from './sha256';

it('sha256 returns the same hash as the browser for every length around the size of a block', async () => {
  for (let length = 0; length <= 130; length++) {
    const text = 'gatehouse'.repeat(15).slice(0, length);
    const hash = new DataView(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
    );
    const words = Array.from({ length: 8 }, (_, at) => hash.getInt32(4 * at));
    expect(Array.from(sha256(text)), String(length)).toEqual(words);
  }
});
