import { MAX_INT } from '../../platform/http/validation/field-rules.js';
import { IntegerField, IntegerQueryField } from '../../platform/http/validation/field.decorator.js';

export class WithdrawDto {
  @IntegerField({ max: MAX_INT, description: 'the server' }) serverId: number;
  @IntegerField({ description: 'a role of the caller on that server' }) roleId: number;
  @IntegerField({ example: 100 }) amount: number;
}

export class RolesQuery {
  @IntegerQueryField({ max: MAX_INT, description: 'the server' }) serverId: number;
}

export class WithdrawalsQuery {
  @IntegerQueryField({ optional: true, description: 'only those with a smaller id' })
  before?: number;
  @IntegerQueryField({ optional: true, max: 100, description: 'default 20' }) limit?: number;
}
