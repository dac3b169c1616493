import { Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { DeskGet } from '../desk-route.decorator.js';
import { MAY_READ_AUDIT } from '../permissions.js';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import { AuditPeriodDto, FindAuditDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @DeskGet('', MAY_READ_AUDIT)
  find(@Query() dto: FindAuditDto) {
    return this.audit.find(dto);
  }

  @DeskGet('export', MAY_READ_AUDIT)
  async export(
    @CurrentOperator() me: DeskOperator,
    @Query() dto: AuditPeriodDto,
    @Res() response: Response,
  ) {
    return sendAttachment(response, 'audit', 'csv', await this.audit.export(me, dto));
  }
}
