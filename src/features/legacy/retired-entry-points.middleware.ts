import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { IpDenyGuard } from '../../platform/http/limits/ip-deny.guard.js';
import { Gone } from './legacy.errors.js';

/** Answers the previous generation's addresses, whatever the method. Not routes, because the lists are settings. */
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
    // Operators may list any path, also one that the pipeline leaves to the guard.
    this.ipDeny.refuse(request.context.address);
    if (isGone) throw new Gone();
    // Browsers keep a 301 for ever, even when the front end has moved.
    response
      .status(301)
      .set({ Location: `${this.environment.FRONTEND_URL}/signin`, 'Cache-Control': 'max-age=3600' })
      .end();
  };

  /** Normalized once per version of the list. */
  private pathsOf(list: string[]): Set<string> {
    let paths = this.normalized.get(list);
    if (!paths) this.normalized.set(list, (paths = new Set(list.map(normalizePath))));
    return paths;
  }
}

/** Compared like routes: ignoring case and a trailing slash. */
function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}
