import { createHash } from 'node:crypto';

const FIRST_SIZE = 1 << 16;

/** Finds which of millions of keys occur twice, with eight bytes for each. */
export class DuplicateFinder {
  private hashes = new BigUint64Array(FIRST_SIZE);
  private size = 0;
  private sorted?: BigUint64Array;

  add(key: string): void {
    if (this.size === this.hashes.length) {
      const larger = new BigUint64Array(this.size * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.size++] = hashOf(key);
  }

  /** How often it was added: 0, 1, or 2 for more than once. */
  count(key: string): 0 | 1 | 2 {
    this.sorted ??= this.hashes.subarray(0, this.size).toSorted();
    const hash = hashOf(key);
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.sorted[middle]! < hash) from = middle + 1;
      else to = middle;
    }
    if (this.sorted[from] !== hash || from === this.size) return 0;
    return from + 1 < this.size && this.sorted[from + 1] === hash ? 2 : 1;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE();
}
