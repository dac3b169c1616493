/** Returns every text of a language with its key, such as `errors.network`. */
export function textsOf(words: object, parent = ''): [key: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]: [string, string | object]) =>
    typeof value === 'string' ? [[parent + key, value]] : textsOf(value, `${parent}${key}.`),
  );
}
