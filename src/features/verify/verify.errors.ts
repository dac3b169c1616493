import { AppError } from '../../platform/http/errors/app-error.js';

export class CodeInvalid extends AppError {
  constructor() {
    super('code_invalid', 'The verification code is wrong or has expired.');
  }
}

export class ChallengeRequired extends AppError {
  constructor() {
    super('challenge_required', 'Please solve a new challenge (GET /api/challenge) first.');
  }
}

export class CodeThrottled extends AppError {
  constructor(retryAfter: number) {
    super('code_throttled', 'Please wait before asking for another code.', { retryAfter });
  }
}
