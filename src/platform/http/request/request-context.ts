import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestHandler } from 'express';
import type { ErrorName } from '../errors/error-table.js';
import { clientAddress } from './address.js';
import { resolveRequestId } from './request-id.js';

/** Names a change that a player made to their account. */
export type PlayerChangeName =
  | 'name'
  | 'password'
  | 'reset'
  | 'email'
  | 'email_restored'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes'
  | 'linked'
  | 'unlinked'
  | 'closing'
  | 'kept'
  | 'exported';

/** Describes a request, with the data known before any handler runs and the data that handlers add for the log. */
export interface RequestContext {
  /** Appears in every log line of the request and in its response. */
  requestId: string;
  /** Contains the client's address, determined with `TRUST_PROXY`. */
  address: string;
  userAgent?: string;
  /** Contains the language that the client prefers, if the service has texts in that language. */
  language?: string;
  /**
   * Identifies the player of the JWT, or of the account in a sign-in attempt, which may fail. It must not decide what
   * the request may do.
   */
  playerId?: number;
  operator?: string;
  sessionId?: number;
  /** Contains the verified signature of a game server's request, and when it expires. */
  signature?: { hex: string; expiresAt: Date };
  /** Describes a request to a route for game servers. */
  gameServer?: {
    isListed: boolean;
    /** Contains the seconds that the caller's clock is ahead, if the request was signed. */
    clockSkew?: number;
    /** Explains a refusal to operators. It takes milliseconds, so only refusals that are stored are explained. */
    explain?: () => { reason: string; signedText: string | null };
  };
  secondFactor?: 'totp' | 'passkey' | 'recovery_code';
  /** This is true if `login_event` records the outcome. */
  isSignIn?: boolean;
  /** This is set once the player has changed their account, for `player_change`. The detail must not be secret. */
  change?: { what: PlayerChangeName; detail?: string };
  error?: ErrorName;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

export const CurrentContext = createParamDecorator(
  (_: unknown, execution: ExecutionContext): RequestContext =>
    execution.switchToHttp().getRequest<{ context: RequestContext }>().context,
);

export function preferredLanguage(acceptLanguage = ''): string | undefined {
  return /\b(?:zh|en)\b/i.exec(acceptLanguage)?.[0].toLowerCase();
}

export const requestContext: RequestHandler = (request, response, next) => {
  const requestId = resolveRequestId(request.headers);
  response.setHeader('X-Request-Id', requestId);
  const userAgent = request.headers['user-agent'];
  // The address must be read now, because a closed connection no longer has a peer address.
  const language = preferredLanguage(request.headers['accept-language']);
  request.context = { requestId, address: clientAddress(request), userAgent, language };
  next();
};
