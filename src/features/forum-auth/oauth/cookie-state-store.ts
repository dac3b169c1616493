import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type SignedToken, SignedTokens } from '../../../platform/auth/signed-tokens.js';
import { OauthStateInvalid } from '../forum-auth.errors.js';
import { UsedTokenStore } from '../../links/used-token-store.js';
import { FlowCookies } from './flow-cookies.js';

/** The destination of a login, and who started it. */
export interface LoginFlow {
  returnTo: string;
  /** Lets the front end recognise that it started this login. */
  nonce?: string;
}

type SignedFlow = LoginFlow & { verifier: string };

const PURPOSE = 'forum state';

/**
 * The state store of passport-oauth2. The browser keeps each login in a signed cookie, so any instance can finish it;
 * the database records only which states were used.
 */
@Injectable()
export class CookieStateStore {
  constructor(
    private readonly cookies: FlowCookies,
    private readonly tokens: SignedTokens,
    private readonly singleUse: UsedTokenStore,
  ) {}

  /** passport-oauth2 tells stores apart by their number of parameters: five for one that keeps the PKCE verifier. */
  store(
    request: Request,
    verifier: string,
    { returnTo, nonce }: LoginFlow,
    _meta: object,
    done: (error: null, state: string) => void,
  ): void {
    const state = randomBytes(32).toString('base64url');
    const flow: SignedFlow = { verifier, returnTo, nonce };
    this.cookies.set(request, state, this.tokens.sign(PURPOSE, flow, { id: state }));
    done(null, state);
  }

  /** Uses up the state, whatever the result of the login: no instance accepts it again. */
  async verify(
    request: Request,
    state: string | undefined,
    done: (error: unknown, verifier?: string, flow?: LoginFlow) => void,
  ): Promise<void> {
    try {
      const { verifier, returnTo, nonce } = await this.consume(request, state ?? '');
      done(null, verifier, { returnTo, nonce });
    } catch (error) {
      done(error);
    }
  }

  /** A login as it was started, even if it has ended. Undefined if this browser did not start it. */
  findFlow(request: Request, state: string): LoginFlow | undefined {
    return this.read(request, state)?.content;
  }

  private async consume(request: Request, state: string): Promise<SignedFlow> {
    const signed = this.read(request, state);
    this.cookies.clear(request, state);
    if (!signed) throw new OauthStateInvalid();
    if (!(await this.singleUse.use(`state ${signed.id}`, signed.expiresAt)))
      throw new OauthStateInvalid();
    return signed.content;
  }

  private read(request: Request, state: string): SignedToken<SignedFlow> | undefined {
    const cookie = this.cookies.find(request, state) ?? '';
    const signed = this.tokens.verify<SignedFlow>(PURPOSE, cookie);
    return signed?.id === state ? signed : undefined;
  }
}
