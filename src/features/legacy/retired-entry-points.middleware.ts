import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { IpDenyGuard } from '../../platform/http/limits/ip-deny.guard.js';
import { Gone } from './legacy.errors.js';

/** Answers the previous generation's addresses, whatever the method. Not routes, because the lists are settings. */
@Injectable()
export class RetiredEntryPointsMiddleware implements NestMiddleware {
  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly ipDeny: IpDenyGuard,
  ) {}

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const { gone, login } = this.settings.current.legacy;
    const path = normalizePath(request.path);
    const isListed = (entry: string) => normalizePath(entry) === path;
    const isGone = gone.some(isListed);
    if (!isGone && !login.some(isListed)) return next();
    // Operators may list any path, also one that the pipeline leaves to the guard.
    this.ipDeny.refuse(request.context.address);
    if (isGone) throw new Gone();
    // Browsers keep a 301 for ever, even when the front end has moved.
    response
      .status(301)
      .set({ Location: `${this.environment.FRONTEND_URL}/signin`, 'Cache-Control': 'max-age=3600' })
      .end();
  };
}

/** Compared like routes: ignoring case and a trailing slash. */
function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}
