import { AppError } from '../../platform/http/errors/app-error.js';

export class Gone extends AppError {
  constructor() {
    super('gone', 'This entry point has been retired.');
  }
}
