import { WholeField, WholeQueryField } from '../http/fields.js';

const LARGEST_ID = 2_147_483_647;

export class WithdrawDto {
  @WholeField({ max: LARGEST_ID, description: 'the zone' }) serverId: number;
  @WholeField({ description: 'a role of the caller in that zone' }) roleId: number;
  @WholeField({ example: 100 }) amount: number;
}

export class RolesQuery {
  @WholeQueryField({ max: LARGEST_ID, description: 'the zone' }) serverId: number;
}

export class WithdrawalsQuery {
  @WholeQueryField({ optional: true, description: 'only those with a smaller id' }) before?: number;
  @WholeQueryField({ optional: true, max: 100, description: 'default 20' }) limit?: number;
}
