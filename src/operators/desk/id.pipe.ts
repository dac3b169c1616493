import type { PipeTransform } from '@nestjs/common';
import { NotFound } from '../../platform/http/errors/http.errors.js';
import { MAX_INT } from '../../platform/http/validation/field-rules.js';

/** An id in a path. Anything else is `not_found`. */
export class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly max = MAX_INT) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Infinity;
    if (id > this.max) throw new NotFound();
    return id;
  }
}
