import type { Response } from 'express';

/** Not Express's redirect: its page would repeat the address, which may hold a ticket. */
export function redirect(response: Response, url: string): void {
  response.status(302).set({ Location: url, 'Cache-Control': 'no-store' }).end();
}
