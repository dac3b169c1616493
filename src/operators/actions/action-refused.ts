import { AppError } from '../../platform/http/errors/app-error.js';

/** Reports that the current state does not allow an action. The desk and the command line show the message. */
export class ActionRefused extends AppError {
  constructor(message: string, options?: ErrorOptions) {
    super('act_refused', message, options);
  }
}

export function refuseIfInvalid(what: string, problem: string | undefined): void {
  if (problem !== undefined) throw new ActionRefused(`${what} ${problem}`);
}
