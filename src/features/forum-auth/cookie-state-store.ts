import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, CookieOptions } from 'express';
import { type SignedToken, SignedTokens } from '../../platform/auth/signed-tokens.js';
import { Environment } from '../../platform/config/environment.js';
import { readCookie, writeCookie } from '../../platform/http/request/cookies.js';
import { SingleUseService } from '../links/single-use.service.js';
import { OauthStateInvalid } from './forum-auth.errors.js';

const PURPOSE = 'forum state';
const STATE_SECONDS = 5 * 60;
const PREFIX = 'forum_login_';
// Limits the pending logins per browser, so that the Cookie header stays small. The oldest login is dropped first.
const MAX_LOGINS = 5;

export interface LoginFlow {
  returnTo: string;
  /** Lets the front end recognise a login that it started itself. */
  nonce?: string;
}

type SignedFlow = LoginFlow & { verifier: string };

/**
 * Stores the OAuth states for passport-oauth2. Each pending login has its own signed cookie, so any instance can finish
 * the login and several tabs do not interfere. The database stores only which states were used.
 */
@Injectable()
export class CookieStateStore {
  constructor(
    private readonly environment: Environment,
    private readonly tokens: SignedTokens,
    private readonly singleUse: SingleUseService,
  ) {}

  /** passport-oauth2 recognises a store for PKCE verifiers by these five parameters. */
  store(
    request: Request,
    verifier: string,
    { returnTo, nonce }: LoginFlow,
    _meta: object,
    done: (error: null, state: string) => void,
  ): void {
    const state = randomBytes(32).toString('base64url');
    const flow: SignedFlow = { verifier, returnTo, nonce };
    const signed = this.tokens.sign(PURPOSE, flow, { id: state, seconds: STATE_SECONDS });
    this.setCookie(request, state, signed);
    done(null, state);
  }

  /** Uses up the state even if the login fails, so that no instance accepts the state again. */
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

  /** Returns the login with this state, even after it has ended, or undefined if another browser started it. */
  findFlow(request: Request, state: string): LoginFlow | undefined {
    return this.read(request, state)?.content;
  }

  private async consume(request: Request, state: string): Promise<SignedFlow> {
    const signed = this.read(request, state);
    if (this.findCookie(request, state) !== undefined)
      writeCookie(request.res!, nameFor(state), null, this.cookieOptions);
    if (!signed) throw new OauthStateInvalid();
    if (!(await this.singleUse.use(`state ${signed.id}`, signed.expiresAt)))
      throw new OauthStateInvalid();
    return signed.content;
  }

  private read(request: Request, state: string): SignedToken<SignedFlow> | undefined {
    const signed = this.tokens.verify<SignedFlow>(PURPOSE, this.findCookie(request, state) ?? '');
    return signed?.id === state ? signed : undefined;
  }

  private setCookie(request: Request, state: string, signed: string): void {
    const cookies = parseCookie(request.headers.cookie ?? '');
    const pendingNames = Object.keys(cookies).filter((name) => name.includes(PREFIX));
    for (const name of pendingNames.slice(0, Math.max(0, pendingNames.length - MAX_LOGINS + 1)))
      request.res!.clearCookie(name, this.cookieOptions);
    const maxAge = STATE_SECONDS * 1000;
    writeCookie(request.res!, nameFor(state), signed, { ...this.cookieOptions, maxAge });
  }

  /** Returns the first cookie with this name. Others are harmless, because the signature must match the state. */
  private findCookie(request: Request, state: string): string | undefined {
    return readCookie(request, nameFor(state), this.cookieOptions);
  }

  private get cookieOptions(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api/forumauth`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }
}

function nameFor(state: string): string {
  return PREFIX + state.slice(0, 16);
}
