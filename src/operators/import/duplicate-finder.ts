import { createHash } from 'node:crypto';

const FIRST_SIZE = 1 << 16;

/** Finds which of millions of keys occur twice, with eight bytes for each. */
export class DuplicateFinder {
  private hashes = new BigUint64Array(FIRST_SIZE);
  private size = 0;
  private duplicates?: Set<bigint>;

  add(key: string): void {
    if (this.size === this.hashes.length) {
      const larger = new BigUint64Array(this.size * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.size++] = hashOf(key);
  }

  has(key: string): boolean {
    return this.findDuplicates.has(hashOf(key));
  }

  get hasAny(): boolean {
    return this.findDuplicates.size > 0;
  }

  private get findDuplicates(): Set<bigint> {
    if (this.duplicates) return this.duplicates;
    const sorted = this.hashes.subarray(0, this.size).toSorted();
    this.duplicates = new Set();
    for (let at = 1; at < sorted.length; at++)
      if (sorted[at] === sorted[at - 1]) this.duplicates.add(sorted[at]!);
    return this.duplicates;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE();
}
