import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CODE_ROOT } from '../../platform/config/build-info.js';
import { Settings } from '../../platform/config/settings.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { TextField, textProblem } from '../../platform/http/validation/field.decorator.js';

// The setting `password.min_length` allows no larger number.
const MAX_LENGTH = 64;
const FILE = join(CODE_ROOT, 'features/accounts/common-passwords.txt');
// Shorter names are part of too many good passwords by chance.
const SHORTEST_NAME = 4;

/** `PasswordRules` checks the other rules, which depend on the settings and on the account. */
export const NewPasswordField = () =>
  TextField({
    max: MAX_LENGTH,
    description: 'as long as `password.min_length` in the configuration or longer, and not weak',
  });

interface PasswordOwner {
  account: string;
  email: string | null;
}

class PasswordWeak extends AppError {
  constructor(message: string) {
    super('password_weak', 'This password is too easy to guess. Please choose another one.', {
      details: [{ field: 'password', message }],
    });
  }
}

/** Enforces the rules for new passwords. Existing passwords stay valid even if they break these rules. */
@Injectable()
export class PasswordRules {
  private common?: Set<string>;

  constructor(private readonly settings: Settings) {}

  /** Must run before the code is used and the registration counted, so that a refused password uses up neither. */
  requireStrong(password: string, owner: PasswordOwner): void {
    const message = this.lengthProblem(password);
    if (message !== undefined) throw new InvalidRequest([{ field: 'password', message }]);
    const weakness = this.weaknessOf(password, owner);
    if (weakness !== undefined) throw new PasswordWeak(weakness);
  }

  /** Returns undefined if the password may be set. */
  problemOf(password: string, owner: PasswordOwner): string | undefined {
    return this.lengthProblem(password) ?? this.weaknessOf(password, owner);
  }

  private lengthProblem(password: string): string | undefined {
    const { min_length: min } = this.settings.current.password;
    return textProblem(password, { min, max: MAX_LENGTH });
  }

  private weaknessOf(password: string, { account, email }: PasswordOwner): string | undefined {
    const given = password.toLowerCase();
    if (/^(.)\1*$/su.test(given)) return 'must not be one repeated character';
    const contains = (name: string) => name.length >= SHORTEST_NAME && given.includes(name);
    if (contains(account.toLowerCase())) return 'must not contain the account';
    if (contains((email ?? '').toLowerCase().replace(/@.*$/, '')))
      return 'must not contain the mailbox';
    this.common ??= new Set(readCommonPasswords());
    return this.common.has(given) ? 'must not be a common password' : undefined;
  }
}

/** Returns the most common passwords in lower case. */
export function readCommonPasswords(): string[] {
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  return lines.filter((line) => !line.startsWith('#'));
}
