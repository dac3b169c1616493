import { EmailField } from '../../http/email-field.js';
import { TextField, WholeField } from '../../http/fields.js';
import { CodeField, NewAccountField, NewPasswordField } from './account-fields.js';

const INT_MAX = 2_147_483_647;

export class RegisterDto {
  @NewAccountField() account: string;
  @NewPasswordField() password: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @WholeField({ max: INT_MAX, description: 'the zone chosen', example: 1 }) serverId: number;
  @TextField({ min: 0, max: 64, optional: true, example: 'iPhone' }) device?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'iOS 19' }) os?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'Safari 19' }) browse?: string;
}
