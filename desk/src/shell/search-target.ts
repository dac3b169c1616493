// The service and nginx create request ids in these formats.
const REQUEST_ID = /^(0[0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{32})$/;

// An order number begins with the id of its withdrawal.
const ORDER_NUMBER = /^W(\d{1,10})-[0-9a-f]{12}$/i;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7})$/i;

/** Returns the page for a search text. Text that names no order, server or request searches the players. */
export function targetOf(typed: string): { path: string; query?: { q: string } } | undefined {
  const text = typed.trim();
  return thingTarget(text) ?? (text ? { path: '/players', query: { q: text } } : undefined);
}

/** Returns the page of an order, a server, a request or an address. */
export function thingTarget(text: string): { path: string; query?: { q: string } } | undefined {
  const order = /^#(\d+)$/.exec(text)?.[1] ?? ORDER_NUMBER.exec(text)?.[1];
  if (order) return { path: `/withdrawals/${order}` };
  const server = /^(?:server\s+|区服\s*)(\d{1,10})$/i.exec(text)?.[1];
  if (server) return { path: '/servers', query: { q: server } };
  const request = REQUEST_ID.exec(text)?.[0] ?? /^request:\s*([\w-]{1,64})$/i.exec(text)?.[1];
  if (request) return { path: `/requests/${request}` };
  return ADDRESS.test(text) ? { path: '/players', query: { q: text } } : undefined;
}
