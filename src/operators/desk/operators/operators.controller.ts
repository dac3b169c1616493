import { Body, Controller } from '@nestjs/common';
import type { DeskOperator } from '../../actions/operators/role.js';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { NoteDto } from '../pagination.dto.js';
import { MAY_MANAGE_OPERATORS } from '../permissions.js';
import { OperatorName } from './operator-name.decorator.js';
import { AddOperatorDto } from './operators.dto.js';
import { OperatorsService } from './operators.service.js';

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
  reset(
    @CurrentOperator() me: DeskOperator,
    @OperatorName() name: string,
    @Body() { note }: NoteDto,
  ) {
    return this.operators.reset(me, name, note);
  }

  @DeskPost(':name/disable', MAY_MANAGE_OPERATORS)
  disable(
    @CurrentOperator() me: DeskOperator,
    @OperatorName() name: string,
    @Body() { note }: NoteDto,
  ) {
    return this.operators.disable(me, name, note);
  }

  @DeskPost(':name/enable', MAY_MANAGE_OPERATORS)
  enable(
    @CurrentOperator() me: DeskOperator,
    @OperatorName() name: string,
    @Body() { note }: NoteDto,
  ) {
    return this.operators.enable(me, name, note);
  }
}
