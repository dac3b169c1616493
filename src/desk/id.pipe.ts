import { Injectable, type PipeTransform } from '@nestjs/common';
import { NotFound } from '../http/errors/http.errors.js';
import { LARGEST_INT } from '../http/validation/field-rules.js';

/** An id in a path. What is none names nothing. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Infinity;
    if (id > LARGEST_INT) throw new NotFound();
    return id;
  }
}
