import { AppError } from '../../platform/http/errors/app-error.js';

export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code';

export class SecondFactorRequired extends AppError {
  constructor(ticket: string, methods: SecondFactorMethod[]) {
    super('second_factor_required', 'This account needs a second step to sign in.', {
      extra: { ticket, methods },
    });
  }
}

export class SecondFactorInvalid extends AppError {
  constructor() {
    super('second_factor_invalid', 'The code is wrong, was used or has expired.');
  }
}
