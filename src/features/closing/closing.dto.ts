import { TextField } from '../../platform/http/validation/field.decorator.js';

export class CloseAccountDto {
  @TextField({ max: 128, optional: true, description: 'where the account has one' })
  password?: string;
}
