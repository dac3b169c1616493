import type { Response } from 'express';

/** Without the page that Express would add: it would repeat what the address bears. */
export function redirect(response: Response, url: string): void {
  response.status(302).set({ Location: url, 'Cache-Control': 'no-store' }).end();
}
