import { createHash } from 'node:crypto';
import { batchesOf } from '../../../platform/database/sql.js';
import { foldName } from '../read/old-values.js';
import type { ImportTarget } from '../target/import-target.js';

const BATCH_SIZE = 500;
const FIRST_SIZE = 1 << 16;
const PLAIN = /^[\x20-\x7e]*$/;
const LETTERS = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
/** Matches the weights of trailing spaces, which databases ignore in names. */
const SPACES = /(?:0209)+$/;

/** Texts that the account database considers equal have the same key. */
export class CollationKeys {
  /** The weights of the ASCII characters are read once, so that most names need no query. */
  private ascii?: Map<string, string>;

  constructor(private readonly target: ImportTarget) {}

  async keysFor(texts: string[]): Promise<string[]> {
    // The embedded database ignores only the case of ASCII letters.
    if (this.target.embedded) return texts.map(foldName);
    this.ascii ??= await this.readWeights(LETTERS);
    const { ascii } = this;
    const others = await this.readWeights(texts.filter((text) => !PLAIN.test(text)));
    return texts.map((text) => {
      const key = others.get(text) ?? Array.from(text, (letter) => ascii.get(letter)).join('');
      return key.replace(SPACES, '');
    });
  }

  private async readWeights(texts: string[]): Promise<Map<string, string>> {
    const weights = new Map<string, string>();
    for (const batch of batchesOf(texts, BATCH_SIZE)) {
      const selects = batch.map(
        (text, place) =>
          `SELECT ${place} AS place, HEX(WEIGHT_STRING(_utf8mb4 x'${Buffer.from(text).toString('hex')}' COLLATE utf8mb4_unicode_ci)) AS weight`,
      );
      const rows = await this.target.query<{ place: number | string; weight: string }>(
        selects.join(' UNION ALL '),
      );
      for (const { place, weight } of rows) weights.set(batch[Number(place)]!, weight);
    }
    return weights;
  }
}

/** Counts occurrences of millions of keys, using eight bytes per key. */
export class KeyCounter {
  private hashes = new BigUint64Array(FIRST_SIZE);
  private size = 0;
  private isSorted = false;

  add(key: string): void {
    if (this.size === this.hashes.length) {
      const larger = new BigUint64Array(this.size * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.size++] = hashOf(key);
    this.isSorted = false;
  }

  /** Returns 2 for keys that were added more than once. */
  count(key: string): 0 | 1 | 2 {
    if (!this.isSorted) this.hashes.subarray(0, this.size).sort();
    this.isSorted = true;
    const hash = hashOf(key);
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.hashes[middle]! < hash) from = middle + 1;
      else to = middle;
    }
    if (this.hashes[from] !== hash || from === this.size) return 0;
    return from + 1 < this.size && this.hashes[from + 1] === hash ? 2 : 1;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE();
}
