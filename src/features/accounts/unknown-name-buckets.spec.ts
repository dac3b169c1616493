import { describe, expect, it } from 'vitest';
import { Environment } from '../../platform/config/environment.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

const under = (secret: string) =>
  new UnknownNameBuckets(Object.assign(new Environment(), { JWT_SECRET: secret.repeat(32) }));

describe('names that no player has', () => {
  it('share a bounded number of buckets', () => {
    const names = under('s');
    const buckets = new Set<string>();
    for (let name = 0; name < 200_000; name++) buckets.add(names.bucketOf(`guess-${name}`));
    expect(buckets.size).toBeGreaterThan(16_000);
    expect(buckets.size).toBeLessThanOrEqual(16_384);
  });

  it('are counted alike on all instances and in any case, and by a hash that nobody else knows', () => {
    expect(under('s').bucketOf('Nobody')).toBe(under('s').bucketOf('nobody'));
    const differ = ['a', 'b', 'c'].filter((n) => under('s').bucketOf(n) !== under('t').bucketOf(n));
    expect(differ).not.toEqual([]);
  });
});
