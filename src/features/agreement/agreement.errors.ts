import { AppError } from '../../platform/http/errors/app-error.js';

export class AgreementUnavailable extends AppError {
  constructor() {
    super('service_unavailable', 'The user agreement cannot be shown right now.');
  }
}
