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
  /** `TRUST_PROXY` decides which address is the client's. */
  address: string;
  userAgent?: string;
  /** The client prefers this language, in which the service has texts. */
  language?: string;
  /**
   * Identifies the player of the JWT, or of the account in a sign-in attempt, which may fail. It must not decide what
   * the request may do.
   */
  playerId?: number;
  operator?: string;
  sessionId?: number;
  /** This is the verified signature of a game server's request. */
  signature?: { hex: string; expiresAt: Date };
  /** Describes a request to a route for game servers. */
  gameServer?: {
    isListed: boolean;
    /** If the request was signed, the caller's clock is ahead by this many seconds. */
    clockSkew?: number;
    /** Explains a refusal to operators. It takes milliseconds, so only refusals that are stored are explained. */
    explain?: () => { reason: string; signedText: string | null };
  };
  secondFactor?: 'totp' | 'passkey' | 'recovery_code';
  /** This is true if `login_event` records the outcome. */
  isSignIn?: boolean;
  /** This is set once the player has changed their account, and is stored in `player_change`. It must not be secret. */
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
