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
import { CountLost } from '../counters/tally.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { AppError } from '../http/errors/app-error.js';
import type { SignInWay } from './login-event.entity.js';
import { LoginJournal } from './login-journal.js';
import { deviceText, shortName } from './login-note.js';

const WAY = 'journal:way';

/** Writes to `login_event` what became of the sign-in, once it is decided. */
@Injectable()
export class NoteSignInInterceptor implements NestInterceptor {
  constructor(
    private readonly journal: LoginJournal,
    private readonly reflector: Reflector,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const way = this.reflector.get<SignInWay>(WAY, execution.getHandler());
    const request = execution.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      tap({
        next: () => this.note(way, 'ok', request),
        error: (thrown: unknown) => this.note(way, outcomeOf(thrown), request),
      }),
    );
  }

  private note(way: SignInWay, outcome: string, { context, body, headers }: Request): void {
    // Nobody was asked for: not a sign-in.
    if (outcome === 'invalid_request') return;
    const { account } = Object(body) as { account?: unknown };
    // A name that nobody has may be a password, typed into the wrong field.
    const isName = way === 'register' || context.playerId !== undefined;
    this.journal.note({
      time: Date.now(),
      way,
      outcome,
      tries: 1,
      playerId: context.playerId ?? null,
      account: isName ? shortName(account) : null,
      address: context.address,
      device: deviceText(body, headers['user-agent']),
      // One that was refused may have begun it in a transaction that was rolled back.
      sessionId: (outcome === 'ok' && context.sessionId) || null,
      requestId: context.requestId,
    });
  }
}

export const NoteSignIn = (way: SignInWay) =>
  applyDecorators(SetMetadata(WAY, way), UseInterceptors(NoteSignInInterceptor));

function outcomeOf(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.error;
  const away = thrown instanceof CountLost || isDatabaseUnavailable(thrown);
  return away ? 'service_unavailable' : 'internal_error';
}
