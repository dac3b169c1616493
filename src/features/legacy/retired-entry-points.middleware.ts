import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { IpDenyGuard } from '../../platform/http/limits/ip-deny.guard.js';

class Gone extends AppError {
  constructor() {
    super('gone', 'This entry point has been retired.');
  }
}

/**
 * Handles requests to the previous generation's URLs. The URLs come from the settings, so a middleware handles them
 * instead of routes.
 */
@Injectable()
export class RetiredEntryPointsMiddleware implements NestMiddleware {
  private readonly normalized = new WeakMap<string[], Set<string>>();

  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly ipDeny: IpDenyGuard,
  ) {}

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const { gone, login } = this.settings.current.legacy;
    const path = normalizePath(request.path);
    const isGone = this.pathsOf(gone).has(path);
    if (!isGone && !this.pathsOf(login).has(path)) return next();
    // The guard that enforces the deny list does not run for these paths.
    this.ipDeny.refuse(request.context.address);
    if (isGone) throw new Gone();
    // Without max-age, browsers would cache the 301 forever, even if the front end moves.
    response
      .status(301)
      .set({ Location: `${this.environment.FRONTEND_URL}/signin`, 'Cache-Control': 'max-age=3600' })
      .end();
  };

  private pathsOf(list: string[]): Set<string> {
    let paths = this.normalized.get(list);
    if (!paths) this.normalized.set(list, (paths = new Set(list.map(normalizePath))));
    return paths;
  }
}

/** Ignores case and a trailing slash, as routes do. */
function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}
