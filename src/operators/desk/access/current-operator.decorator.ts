import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DeskSession } from '../../actions/operators/operator-sessions.js';
import type { DeskOperator } from '../../actions/operators/role.js';

export type DeskRequest = Request & { desk?: DeskSession };

/** Who is signed in: `{ name, role }`. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeskOperator => {
    const { desk } = context.switchToHttp().getRequest<DeskRequest>();
    if (!desk) throw new Error('@CurrentOperator() on a route that is marked @Public()');
    return desk.operator;
  },
);
