import type { PipeTransform } from '@nestjs/common';
import { NotFound } from '../http/errors/http.errors.js';
import { LARGEST_INT } from '../http/validation/field-rules.js';

/** An id in a path. What is none names nothing. */
export class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly largest = LARGEST_INT) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Infinity;
    if (id > this.largest) throw new NotFound();
    return id;
  }
}
