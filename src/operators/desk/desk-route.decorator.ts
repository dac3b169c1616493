import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import type { Role } from '../actions/operators/role.js';
import { Roles } from './access/roles.decorator.js';

export const DeskGet = (path: string, roles: readonly Role[]) =>
  applyDecorators(Get(path), Roles(...roles));

/** Nest would answer a POST with 201. */
export const DeskPost = (path: string, roles: readonly Role[]) =>
  applyDecorators(Post(path), HttpCode(200), Roles(...roles));
