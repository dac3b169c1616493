import { AppError } from '../../platform/http/errors/app-error.js';

export class LastWayIn extends AppError {
  constructor() {
    super('last_way_in', 'Without a password, this identity is the only way in. Set one first.');
  }
}
