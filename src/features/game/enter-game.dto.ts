import { IntegerField } from '../../platform/http/validation/field.decorator.js';

export class EnterGameDto {
  @IntegerField({ description: 'the chosen server', example: 1 }) serverId: number;
}
