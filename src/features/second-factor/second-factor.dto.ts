import { TextField } from '../../platform/http/validation/field.decorator.js';

export class ConfirmTotpDto {
  @TextField({ max: 16, description: 'the six digits of the app', example: '123456' }) code: string;
}
