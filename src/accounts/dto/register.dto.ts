import { EmailField } from '../../http/validation/email-field.decorator.js';
import { LARGEST_INT } from '../../http/validation/field-rules.js';
import { FlagField, TextField, WholeField } from '../../http/validation/field.decorator.js';
import {
  CodeField,
  NewAccountField,
  NewPasswordField,
  REMEMBER,
} from './account-field.decorator.js';

export class RegisterDto {
  @NewAccountField() account: string;
  @NewPasswordField() password: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @WholeField({ max: LARGEST_INT, description: 'the zone chosen', example: 1 }) serverId: number;
  @TextField({ min: 0, max: 64, optional: true, example: 'iPhone' }) device?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'iOS 19' }) os?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'Safari 19' }) browse?: string;
  @FlagField(REMEMBER) remember?: boolean;
}
