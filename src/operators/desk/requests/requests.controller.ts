import { Controller, Param } from '@nestjs/common';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { DeskGet } from '../desk-route.decorator.js';
import { MAY_READ } from '../permissions.js';
import { RequestsService } from './requests.service.js';

@Controller('requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @DeskGet(':id', MAY_READ)
  page(@CurrentOperator() me: DeskOperator, @Param('id') id: string) {
    return this.requests.page(me, id);
  }
}
