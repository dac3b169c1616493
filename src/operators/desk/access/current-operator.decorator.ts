import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DeskSession } from '../../actions/operators/operator-sessions.js';
import type { DeskOperator } from '../../actions/operators/role.js';

export type DeskRequest = Request & { desk?: DeskSession };

/** Who is signed in: `{ name, role }`. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeskOperator => sessionOf(context).operator,
);

/** The session's id, for `OperatorSessions.isActive`: a stream must end with its session. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => sessionOf(context).id,
);

function sessionOf(context: ExecutionContext): DeskSession {
  const { desk } = context.switchToHttp().getRequest<DeskRequest>();
  if (!desk) throw new Error('@CurrentOperator() on a route that is marked @Public()');
  return desk;
}
