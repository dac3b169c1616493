import { SetMetadata } from '@nestjs/common';
import type { Role } from '../../actions/operators/role.js';

export const ROLES_KEY = 'desk-roles';

/** Which roles may call a route of the desk. A route without it is closed to everyone, and a test reports it. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES_KEY, roles);
