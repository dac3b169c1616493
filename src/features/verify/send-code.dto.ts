import { EmailField } from '../../platform/http/validation/email-field.decorator.js';

export class SendCodeDto {
  @EmailField() email: string;
}
