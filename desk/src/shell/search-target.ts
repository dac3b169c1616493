// Request ids as the service and nginx create them.
const REQUEST_ID = /^(0[0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{32})$/;

/** The page for a search text. Anything else is searched among the players. */
export function targetOf(typed: string): { path: string; query?: { q: string } } | undefined {
  const text = typed.trim();
  const order = /^#(\d+)$/.exec(text)?.[1];
  if (order) return { path: `/withdrawals/${order}` };
  const request = REQUEST_ID.exec(text)?.[0] ?? /^request:\s*([\w-]{1,64})$/i.exec(text)?.[1];
  if (request) return { path: `/requests/${request}` };
  return text ? { path: '/players', query: { q: text } } : undefined;
}
