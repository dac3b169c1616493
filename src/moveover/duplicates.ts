import { createHash } from 'node:crypto';

const FIRST_SIZE = 1 << 16;

/** Finds which of millions of keys occur twice, with eight bytes for each. */
export class Duplicates {
  private hashes = new BigUint64Array(FIRST_SIZE);
  private size = 0;
  private twice?: Set<bigint>;

  add(key: string): void {
    if (this.size === this.hashes.length) {
      const larger = new BigUint64Array(this.size * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.size++] = hashOf(key);
  }

  has(key: string): boolean {
    return this.found.has(hashOf(key));
  }

  get any(): boolean {
    return this.found.size > 0;
  }

  private get found(): Set<bigint> {
    if (this.twice) return this.twice;
    const sorted = this.hashes.subarray(0, this.size).toSorted();
    this.twice = new Set();
    for (let at = 1; at < sorted.length; at++)
      if (sorted[at] === sorted[at - 1]) this.twice.add(sorted[at]!);
    return this.twice;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE();
}
