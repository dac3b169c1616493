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

/** Somebody who is signed in proves it again. */
export class ChangePasswordDto {
  @TextField({ max: 200 })
  password: string;

  @TextField({ min: 12, max: 128 })
  newPassword: string;

  @TextField({ max: 16, optional: true, description: 'the code of the authenticator app' })
  totp?: string;
}

/** The first sign-in, with the password that the command printed. */
export class EnrolDto extends SignInDto {
  @TextField({ min: 12, max: 128 })
  newPassword: string;

  @TextField({ max: 32, pattern: /^[A-Z2-7]{32}$/, description: 'as the sign-in gave it' })
  totpSecret: string;
}
