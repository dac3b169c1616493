import { Body, Controller, Param, type PipeTransform } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { oneOf, TextField } from '../../../platform/http/validation/field.decorator.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';
import { type DeskOperator, type Role, ROLES } from '../../actions/operators/operator.entity.js';
import { MAY_MANAGE_OPERATORS } from '../access/permissions.js';
import { CurrentOperator, DeskGet, DeskPost } from '../http/desk-route.decorator.js';
import { NoteDto } from '../http/pagination.dto.js';
import { OperatorsService } from './operators.service.js';

/** Responds with `not_found` to invalid names, because MariaDB cannot compare the ASCII column with arbitrary text. */
class OperatorNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (!OPERATOR_NAME.test(name)) throw new NotFound();
    return name;
  }
}

const OperatorName = () => Param('name', new OperatorNamePipe());

class AddOperatorDto extends NoteDto {
  @TextField({
    min: 2,
    max: 32,
    pattern: OPERATOR_NAME,
    hint: 'must be lowercase letters, digits and . _ -',
  })
  name: string;

  @TextField(oneOf(ROLES))
  role: Role;
}

@Controller('operators')
export class OperatorsController {
  constructor(private readonly operators: OperatorsService) {}

  @DeskGet('', MAY_MANAGE_OPERATORS)
  list() {
    return this.operators.list();
  }

  @DeskPost('', MAY_MANAGE_OPERATORS)
  add(@CurrentOperator() me: DeskOperator, @Body() dto: AddOperatorDto) {
    return this.operators.add(me, dto);
  }

  @DeskPost(':name/reset', MAY_MANAGE_OPERATORS)
  reset(@CurrentOperator() me: DeskOperator, @OperatorName() name: string, @Body() dto: NoteDto) {
    return this.operators.reset(me, name, dto.note);
  }

  @DeskPost(':name/disable', MAY_MANAGE_OPERATORS)
  disable(@CurrentOperator() me: DeskOperator, @OperatorName() name: string, @Body() dto: NoteDto) {
    return this.operators.disable(me, name, dto.note);
  }

  @DeskPost(':name/enable', MAY_MANAGE_OPERATORS)
  enable(@CurrentOperator() me: DeskOperator, @OperatorName() name: string, @Body() dto: NoteDto) {
    return this.operators.enable(me, name, dto.note);
  }
}
