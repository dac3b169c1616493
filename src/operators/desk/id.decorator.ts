import { Param, type PipeTransform } from '@nestjs/common';
import { NotFound } from '../../platform/http/errors/http.errors.js';
import { MAX_INT } from '../../platform/http/validation/field-rules.js';

/** Anything but an id is `not_found`. */
class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly max: number) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Infinity;
    if (id > this.max) throw new NotFound();
    return id;
  }
}

/** The id in the path. */
export const Id = (max = MAX_INT) => Param('id', new IdPipe(max));
