import { LARGEST_INT } from '../http/validation/field-rules.js';
import { WholeField, WholeQueryField } from '../http/validation/field.decorator.js';

export class WithdrawDto {
  @WholeField({ max: LARGEST_INT, description: 'the zone' }) serverId: number;
  @WholeField({ description: 'a role of the caller in that zone' }) roleId: number;
  @WholeField({ example: 100 }) amount: number;
}

export class RolesQuery {
  @WholeQueryField({ max: LARGEST_INT, description: 'the zone' }) serverId: number;
}

export class WithdrawalsQuery {
  @WholeQueryField({ optional: true, description: 'only those with a smaller id' }) before?: number;
  @WholeQueryField({ optional: true, max: 100, description: 'default 20' }) limit?: number;
}
