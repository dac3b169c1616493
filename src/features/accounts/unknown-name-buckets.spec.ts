import { describe, expect, it } from 'vitest';
import { Environment } from '../../platform/config/environment.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

const under = (secret: string) =>
  new UnknownNameBuckets(Object.assign(new Environment(), { JWT_SECRET: secret.repeat(32) }));

describe('UnknownNameBuckets', () => {
  it('spreads names over buckets 0 to 16 383', () => {
    const names = under('s');
    const buckets = new Set<number>();
    for (let name = 0; name < 2000; name++)
      buckets.add(Number(/^\?(\d+)$/.exec(names.bucketOf(`guess-${name}`))![1]));
    expect(buckets.size).toBeGreaterThan(1500);
    expect(Math.max(...buckets)).toBeGreaterThan(8192);
    expect(Math.max(...buckets)).toBeLessThan(16_384);
  });

  it('gives a name the same bucket on all instances, in upper and lower case', () => {
    expect(under('s').bucketOf('Nobody')).toBe(under('s').bucketOf('nobody'));
  });

  it('gives names other buckets under another secret', () => {
    const differ = ['a', 'b', 'c'].filter((n) => under('s').bucketOf(n) !== under('t').bucketOf(n));
    expect(differ).not.toEqual([]);
  });
});
