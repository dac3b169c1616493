import { EmailField } from '../../../platform/http/validation/email-field.decorator.js';
import { MAX_INT } from '../../../platform/http/validation/field-rules.js';
import {
  FlagField,
  TextField,
  IntegerField,
} from '../../../platform/http/validation/field.decorator.js';
import {
  CodeField,
  NewAccountField,
  NewPasswordField,
  REMEMBER_DESCRIPTION,
} from './account-rules.decorator.js';

export class RegisterDto {
  @NewAccountField() account: string;
  @NewPasswordField() password: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @IntegerField({ max: MAX_INT, description: 'the server chosen', example: 1 }) serverId: number;
  @TextField({ min: 0, max: 64, optional: true, example: 'iPhone' }) device?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'iOS 19' }) os?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'Safari 19' }) browse?: string;
  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}
