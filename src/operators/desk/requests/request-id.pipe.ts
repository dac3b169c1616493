import type { PipeTransform } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';

/** The id of a request in a path. Anything that cannot be one is `not_found`. */
export class RequestIdPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!isRequestId(text)) throw new NotFound();
    return text;
  }
}
