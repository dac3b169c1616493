/** Names and notes come from other people: no control or direction characters on a terminal. */
export function printable(text: string): string {
  return text.replaceAll(HIDDEN, '·');
}

/** For JSON, which allows most of them: the same value, escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(HIDDEN, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** All except the line break. */
const HIDDEN = /[^\P{C}\n]/gu;
