import { TextField } from '../../http/fields.js';

export class LoginDto {
  // Wider than the rule for new names: those of the previous generation stay valid.
  @TextField({ max: 64, example: 'dragon_slayer' }) account: string;
  @TextField({ max: 128 }) password: string;
}
