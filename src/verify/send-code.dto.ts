import { EmailField } from '../http/validation/email-field.decorator.js';

export class SendCodeDto {
  @EmailField() email: string;
}
