import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Observable, tap } from 'rxjs';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { AppError } from '../http/errors/app-error.js';
import type { SignInMethod } from './audit.entity.js';
import { LoginEventLog } from './login-event-log.js';

const WAY = 'audit:way';
const MAX_NAME = 64;
const MAX_DEVICE = 128;
const PLAIN = /^[\x20-\x7e]*$/;

@Injectable()
export class RecordSignInInterceptor implements NestInterceptor {
  constructor(
    private readonly loginEvents: LoginEventLog,
    private readonly reflector: Reflector,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const way = this.reflector.get<SignInMethod>(WAY, execution.getHandler());
    const request = execution.switchToHttp().getRequest<Request>();
    request.context.isSignIn = true;
    return next.handle().pipe(
      tap({
        next: () => this.record(way, 'ok', request),
        error: (thrown: unknown) => this.record(way, outcomeOf(thrown), request),
      }),
    );
  }

  private record(way: SignInMethod, outcome: string, { context, body, headers }: Request): void {
    // A request that names no account is not a sign-in.
    if (outcome === 'invalid_request') return;
    const { account } = Object(body) as { account?: unknown };
    // A name that belongs to no account may be a password typed into the wrong field.
    const isName = way === 'register' || context.playerId !== undefined;
    this.loginEvents.record({
      time: Date.now(),
      way: context.secondFactor ?? way,
      outcome,
      tries: 1,
      playerId: context.playerId ?? null,
      account: isName ? truncateName(account) : null,
      address: context.address,
      device: loginDeviceLabel(body, headers['user-agent']),
      // A rejected sign-in may have created a session in a transaction that was rolled back.
      sessionId: (outcome === 'ok' && context.sessionId) || null,
      requestId: context.requestId,
    });
  }
}

export const RecordSignIn = (way: SignInMethod) =>
  applyDecorators(SetMetadata(WAY, way), UseInterceptors(RecordSignInInterceptor));

function outcomeOf(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.error;
  return isDatabaseUnavailable(thrown) ? 'service_unavailable' : 'internal_error';
}

export function truncateName(typed: unknown): string | null {
  return typeof typed === 'string' ? printable(typed, MAX_NAME) : null;
}

/** Returns the device description from the request body, or else the `User-Agent` header. */
export function loginDeviceLabel(body: unknown, userAgent: string | undefined): string | null {
  const { device, os, browse } = Object(body) as Record<string, unknown>;
  const said = [device, os, browse].filter((part) => typeof part === 'string' && part !== '');
  const text = said.length > 0 ? said.join(', ') : userAgent;
  return text ? printable(text, MAX_DEVICE) : null;
}

/** Replaces control characters, because the client chose the text and terminals show it. */
function printable(text: string, longest: number): string {
  if (PLAIN.test(text)) return text.slice(0, longest);
  // So far, the text is limited only in bytes, not in characters.
  const head = text.slice(0, longest * 2).replaceAll(/\p{C}/gu, '·');
  return Array.from(head).slice(0, longest).join('');
}
