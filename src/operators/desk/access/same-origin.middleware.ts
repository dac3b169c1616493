import { isIP } from 'node:net';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { CrossSiteRequest } from './access.errors.js';
import { changesState } from './access.guard.js';

/**
 * Accepts requests from the desk's own page and from programs other than browsers. During DNS rebinding, an attacker's
 * page has the same origin as the desk, and only the `Host` header reveals the attack. Therefore `Host` must be an IP
 * address, localhost or DESK_HOST, and a proxy has to send one of these.
 */
@Injectable()
export class SameOriginMiddleware implements NestMiddleware {
  constructor(private readonly environment: Environment) {}

  readonly use = (request: Request, _response: Response, next: NextFunction): void => {
    const problem = this.problemOf(request);
    next(problem === undefined ? undefined : new CrossSiteRequest(problem));
  };

  private problemOf(request: Request): string | undefined {
    const { host = '', origin, 'sec-fetch-site': site } = request.headers;
    if (!this.isOurs(host)) return `to the host ${JSON.stringify(host.slice(0, 100))}`;
    const isApi = /^\/api(\/|$)/i.test(request.path);
    // Browsers set `Sec-Fetch-Site`, and no page can change it. A link on another site may open the desk.
    if (typeof site === 'string') {
      const isOwn = site === 'same-origin' || (site === 'none' && !changesState(request));
      return isOwn || (!isApi && !changesState(request)) ? undefined : `from a page: ${site}`;
    }
    if (origin === undefined || !isApi) return undefined;
    const isOwn = URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
    return isOwn ? undefined : 'from a page of another origin';
  }

  private isOurs(host: string): boolean {
    const url = `http://${host}`;
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return false;
    const name = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
    return isIP(name) !== 0 || name === 'localhost' || name === this.environment.DESK_HOST;
  }
}
