import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { AppError } from '../http/errors/app-error.js';
import { AppExceptionFilter } from '../http/errors/exception.filter.js';
import { ActRefused } from '../journal/act-refused.js';

/** What the services refuse is a conflict, told in their own sentence. */
@Injectable()
@Catch(ActRefused)
export class ActRefusedFilter implements ExceptionFilter {
  constructor(private readonly errors: AppExceptionFilter) {}

  catch({ message }: ActRefused, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const refusal = new AppError('act_refused', message);
    this.errors.answer(this.errors.recognise(refusal, http.getRequest()), http.getResponse());
  }
}
