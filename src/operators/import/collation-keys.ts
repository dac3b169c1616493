import type { ImportTarget } from './import-target.js';

const BATCH_SIZE = 500;
const PLAIN = /^[\x20-\x7e]*$/;
/** The weight of a space, which a database ignores at the end of a name. */
const SPACES = /(?:0209)+$/;

/** Gives each text a key; keys are equal if the account database considers two texts equal. */
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

  /** Queried once, so that most names need no query. */
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
