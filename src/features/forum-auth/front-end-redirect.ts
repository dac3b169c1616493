import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { AppExceptionFilter } from '../../platform/http/errors/exception.filter.js';
import { IpDenied, MethodNotAllowed, NotFound } from '../../platform/http/errors/http.errors.js';
import { FORUM_PROVIDER } from '../links/links.dto.js';
import { LinksService } from '../links/links.service.js';
import { CookieStateStore, type LoginFlow } from './cookie-state-store.js';
import { type ForumLogin, HOME } from './forum-auth.guards.js';
import { ForumTickets } from './forum-tickets.js';
import { parseCallbackQuery } from './forum.strategy.js';

@Injectable()
export class FrontEndRedirect {
  constructor(
    private readonly environment: Environment,
    private readonly links: LinksService,
    private readonly tickets: ForumTickets,
  ) {}

  async urlFor({ connectId, name, returnTo, nonce }: ForumLogin): Promise<string> {
    const linked = await this.links.recognise({ provider: FORUM_PROVIDER, connectId, name });
    return this.signInUrl({
      ticket: this.tickets.issue(connectId, nonce, name),
      linked: linked ? '1' : '0',
      return_to: returnTo,
      ...(nonce && { nonce }),
      ...(name && { name }),
    });
  }

  /** Includes the page to return to, because the user may still sign in another way. */
  errorUrl(error: string, { returnTo, nonce }: LoginFlow = { returnTo: HOME }): string {
    return this.signInUrl({
      error,
      ...(returnTo !== HOME && { return_to: returnTo }),
      ...(nonce && { nonce }),
    });
  }

  /** Uses the fragment, because browsers do not send it to servers or include it in the referrer. */
  private signInUrl(fragment: Record<string, string>): string {
    return `${this.environment.FRONTEND_URL}/signin#${new URLSearchParams(fragment).toString()}`;
  }
}

/** Redirects errors to the front end, because the callback is opened in a browser. */
@Catch()
export class FrontEndRedirectFilter implements ExceptionFilter {
  constructor(
    private readonly errors: AppExceptionFilter,
    private readonly frontEnd: FrontEndRedirect,
    private readonly states: CookieStateStore,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const error = this.errors.recognise(thrown, request);
    if ([NotFound, IpDenied, MethodNotAllowed].some((kind) => error instanceof kind))
      return this.errors.answer(error, response);
    const flow = this.states.findFlow(request, parseCallbackQuery(request.query).state);
    return redirect(response, this.frontEnd.errorUrl(error.error, flow));
  }
}

/** Replaces Express's redirect, whose response body would repeat the URL, which may contain a ticket. */
export function redirect(response: Response, url: string): void {
  response.status(302).set({ Location: url, 'Cache-Control': 'no-store' }).end();
}
