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
import type { SignInMethod } from './login-event.entity.js';
import { LoginEventLog } from './login-event-log.js';
import { loginDeviceLabel, truncateName } from './new-login-event.js';

const WAY = 'audit:way';

/** Writes the outcome of a sign-in to `login_event`. */
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
    // No account was named: not a sign-in.
    if (outcome === 'invalid_request') return;
    const { account } = Object(body) as { account?: unknown };
    // A name that nobody has may be a password typed into the wrong field.
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
      // A refused sign-in may have started a session in a transaction that was rolled back.
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
