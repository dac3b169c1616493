import { WholeField } from '../http/validation/field.decorator.js';

export class EnterGameDto {
  @WholeField({ description: 'the chosen zone', example: 1 }) serverId: number;
}
