import { WholeField } from '../http/fields.js';

export class EnterGameDto {
  @WholeField({ description: 'the chosen zone', example: 1 }) serverId: number;
}
