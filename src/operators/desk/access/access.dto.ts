import { Transform } from 'class-transformer';
import { TextField } from '../../../platform/http/validation/field.decorator.js';

export class SignInDto {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @TextField({ max: 64, example: 'anna' })
  name: string;

  @TextField({ max: 200 })
  password: string;

  @TextField({ max: 16, optional: true, description: 'the code of the authenticator app' })
  totp?: string;
}
