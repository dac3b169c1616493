import { type CanActivate, Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { NotFound } from '../../platform/http/errors/http.errors.js';

/** Answers `not_found` if no forum is configured. */
@Injectable()
export class ForumEnabledGuard implements CanActivate {
  constructor(private readonly environment: Environment) {}

  canActivate(): boolean {
    if (!this.environment.forum) throw new NotFound();
    return true;
  }
}
