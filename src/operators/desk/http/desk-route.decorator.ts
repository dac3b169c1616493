import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  type PipeTransform,
  Post,
  SetMetadata,
} from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { RefusesHead } from '../../../platform/http/request/body.guard.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';
import type { DeskSession } from '../../actions/operators/operator-sessions.js';
import type { DeskOperator, Role } from '../../actions/operators/operator.entity.js';

export const ROLES_KEY = 'desk-roles';

/**
 * Registers a GET route for operators with these roles. A route without roles rejects everyone. Many routes record in
 * `audit_event` what the operator saw, so HEAD requests, which show nothing, are rejected.
 */
export const DeskGet = (path: string, roles: readonly Role[]) =>
  applyDecorators(Get(path), RefusesHead(), SetMetadata(ROLES_KEY, roles));

/** Registers a POST route that responds with 200 instead of Nest's default 201. */
export const DeskPost = (path: string, roles: readonly Role[]) =>
  applyDecorators(Post(path), HttpCode(200), SetMetadata(ROLES_KEY, roles));

export type DeskRequest = Request & { desk?: DeskSession };

export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeskOperator => {
    const { desk } = context.switchToHttp().getRequest<DeskRequest>();
    if (!desk) throw new Error('@CurrentOperator() on a route that is marked @Public()');
    return desk.operator;
  },
);

/** Responds with `not_found` unless the value is an id. */
class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly max: number) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Infinity;
    if (id > this.max) throw new NotFound();
    return id;
  }
}

export const Id = (max = MAX_INT) => Param('id', new IdPipe(max));
