import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from './request-context.js';

/** The `RequestContext` of the request that the handler answers. */
export const CurrentContext = createParamDecorator(
  (_: unknown, execution: ExecutionContext): RequestContext =>
    execution.switchToHttp().getRequest<Request>().context,
);
