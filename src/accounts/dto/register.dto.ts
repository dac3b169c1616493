import { EmailField } from '../../http/email-field.js';
import { LARGEST_INT, TextField, WholeField } from '../../http/fields.js';
import { CodeField, NewAccountField, NewPasswordField } from './account-fields.js';

export class RegisterDto {
  @NewAccountField() account: string;
  @NewPasswordField() password: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @WholeField({ max: LARGEST_INT, description: 'the zone chosen', example: 1 }) serverId: number;
  @TextField({ min: 0, max: 64, optional: true, example: 'iPhone' }) device?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'iOS 19' }) os?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'Safari 19' }) browse?: string;
}
