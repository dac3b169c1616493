import { Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendAttachment } from '../../../platform/http/response/attachment.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { MAY_READ_AUDIT } from '../access/permissions.js';
import { CurrentOperator, DeskGet } from '../http/desk-route.decorator.js';
import { AuditFilterDto, AuditService, FindAuditDto } from './audit.service.js';

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
    @Query() dto: AuditFilterDto,
    @Res() response: Response,
  ) {
    return sendAttachment(response, 'audit', 'csv', await this.audit.export(me, dto));
  }
}
