import { describe, expect, it } from 'vitest';
import { refusedOverHttp, requireInstance } from './verify-http.js';

const NOBODY_LISTENS = 'http://127.0.0.1:1';

describe('a proof over HTTP', () => {
  it('is refused at once where no instance answers', async () => {
    await expect(requireInstance(NOBODY_LISTENS)).rejects.toThrow(
      'no instance answers at --url http://127.0.0.1:1: ECONNREFUSED',
    );
  });

  it('counts whom an instance that is gone meanwhile did not let in', async () => {
    const sample = [{ name: 'old', password: 'a'.repeat(32), banned: false }];
    expect(await refusedOverHttp(NOBODY_LISTENS, sample)).toEqual(['old: ECONNREFUSED']);
  });
});
