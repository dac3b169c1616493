import { NonceField } from './nonce-field.decorator.js';

export class AuthorizeQuery {
  @NonceField(
    'a fresh random value, which comes back in the fragment of `/signin`: a landing that bears another one, or none, was started elsewhere and is to be dropped',
  )
  nonce?: string;
}
