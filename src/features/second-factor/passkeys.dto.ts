import { ObjectField, TextField } from '../../platform/http/validation/field.decorator.js';
import type { PasskeyResponse } from './passkeys.js';

export class AddPasskeyDto {
  // It is in mails to the owner.
  @TextField({
    max: 32,
    pattern: /^[^\r\n]+$/,
    hint: 'must be one line',
    description: 'what the player calls it',
    example: 'phone',
  })
  name: string;

  @ObjectField('the WebAuthn registration, as JSON') response?: PasskeyResponse;
}

export class PasskeyTicketDto {
  @TextField({ max: 4096, description: 'from the answer to the first step' }) ticket: string;
}
