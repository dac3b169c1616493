/** The URL of an instance; `127.0.0.1:3001` is completed. Undefined if it is invalid. */
export function instanceUrl(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const text = /^[\w.[\]:-]+:\d+$/.test(given) ? `http://${given}` : given;
  if (!/^https?:\/\/[^\s/]+\/?$/.test(text) || !URL.canParse(text)) return undefined;
  const { origin, username, password } = new URL(text);
  return username || password ? undefined : origin;
}
