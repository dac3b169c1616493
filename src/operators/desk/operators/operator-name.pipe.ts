import type { PipeTransform } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';

/** The name of an operator in a path. MariaDB refuses to compare the column with anything else. */
export class OperatorNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (!OPERATOR_NAME.test(name)) throw new NotFound();
    return name;
  }
}
