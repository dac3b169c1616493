import { Param, type PipeTransform } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';

/** MariaDB refuses to compare the column with anything else. */
class OperatorNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (!OPERATOR_NAME.test(name)) throw new NotFound();
    return name;
  }
}

/** The name of an operator in the path. */
export const OperatorName = () => Param('name', new OperatorNamePipe());
