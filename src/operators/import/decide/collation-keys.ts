import { createHash } from 'node:crypto';
import type { ImportTarget } from '../target/import-target.js';

const BATCH_SIZE = 500;
const FIRST_SIZE = 1 << 16;
const PLAIN = /^[\x20-\x7e]*$/;
/** Matches the weights of trailing spaces, which databases ignore in names. */
const SPACES = /(?:0209)+$/;

/** Computes keys. Texts that the account database considers equal have the same key. */
export class CollationKeys {
  private ascii?: Map<string, string>;

  constructor(private readonly target: ImportTarget) {}

  async keysFor(texts: string[]): Promise<string[]> {
    // The embedded database ignores only the case of ASCII letters.
    if (this.target.embedded)
      return texts.map((text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
    this.ascii ??= await this.readAscii();
    const { ascii } = this;
    const keys = texts.map((text) =>
      PLAIN.test(text) ? Array.from(text, (letter) => ascii.get(letter)).join('') : '',
    );
    const others = [...texts.keys()].filter((at) => !PLAIN.test(texts[at] ?? ''));
    for (let from = 0; from < others.length; from += BATCH_SIZE) {
      const places = others.slice(from, from + BATCH_SIZE);
      const weights = await this.readWeights(places.map((at) => texts[at] ?? ''));
      places.forEach((at, index) => (keys[at] = weights[index] ?? ''));
    }
    return keys.map((key) => key.replace(SPACES, ''));
  }

  /** Reads the weights of the ASCII characters once, so that most names need no query. */
  private async readAscii(): Promise<Map<string, string>> {
    const letters = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
    const weights = await this.readWeights(letters);
    return new Map(letters.map((letter, at) => [letter, weights[at] ?? '']));
  }

  private async readWeights(texts: string[]): Promise<string[]> {
    const selects = texts.map(
      (text, place) =>
        `SELECT ${place} AS place, HEX(WEIGHT_STRING(_utf8mb4 x'${Buffer.from(text).toString('hex')}' COLLATE utf8mb4_unicode_ci)) AS weight`,
    );
    const rows = await this.target.query<{ place: number | string; weight: string }>(
      selects.join(' UNION ALL '),
    );
    const weights: string[] = [];
    for (const { place, weight } of rows) weights[Number(place)] = weight;
    return weights;
  }
}

/** Counts occurrences of millions of keys, using eight bytes per key. */
export class KeyCounter {
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

  /** Returns 2 for keys that were added more than once. */
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
