import { Body, Controller, Query } from '@nestjs/common';
import {
  IntegerField,
  IntegerQueryField,
  MAX_INT,
  oneOf,
  TextField,
  TIME_RULES,
} from '../../../platform/http/validation/field.decorator.js';
import {
  SERVER_STATUSES,
  type ServerStatus,
} from '../../../features/servers/game-server.entity.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { MAY_CHANGE_SERVERS, MAY_READ } from '../access/permissions.js';
import { CurrentOperator, DeskGet, DeskPost, Id } from '../http/desk-route.decorator.js';
import { NoteDto } from '../http/pagination.dto.js';
import { DeskServersService } from './desk-servers.service.js';

class PreviewDto {
  @IntegerField({ max: MAX_INT, optional: true })
  id?: number;
}

class StatusDto extends NoteDto {
  @TextField(oneOf(SERVER_STATUSES))
  status: ServerStatus;

  /** Accepts a time or `now`. Without a value, the opening time stays the same. */
  @TextField({
    max: TIME_RULES.max,
    hint: TIME_RULES.hint,
    pattern: new RegExp(`^now$|${TIME_RULES.pattern.source}`),
    optional: true,
  })
  openAt?: string;
}

class MergeQueryDto {
  @IntegerQueryField({ max: MAX_INT })
  into: number;
}

class MergeDto extends NoteDto {
  /** Null undoes a merge. */
  @IntegerField({ max: MAX_INT, nullable: true })
  into: number | null;
}

@Controller('servers')
export class DeskServersController {
  constructor(private readonly servers: DeskServersService) {}

  @DeskGet('', MAY_READ)
  list() {
    return this.servers.list();
  }

  @DeskPost('preview', MAY_CHANGE_SERVERS)
  preview(@Body() { id }: PreviewDto, @Body('fields') fields: unknown) {
    return this.servers.preview(id, fields);
  }

  @DeskPost('status', MAY_CHANGE_SERVERS)
  setStatus(
    @CurrentOperator() me: DeskOperator,
    @Body() dto: StatusDto,
    @Body('ids') ids: unknown,
  ) {
    return this.servers.setStatus(me, ids, dto);
  }

  @DeskPost('', MAY_CHANGE_SERVERS)
  add(
    @CurrentOperator() me: DeskOperator,
    @Body() { note }: NoteDto,
    @Body('fields') fields: unknown,
  ) {
    return this.servers.add(me, fields, note);
  }

  @DeskPost(':id', MAY_CHANGE_SERVERS)
  set(
    @CurrentOperator() me: DeskOperator,
    @Id() id: number,
    @Body() { note }: NoteDto,
    @Body('fields') fields: unknown,
    @Body('shown') shown: unknown,
  ) {
    return this.servers.set(me, id, { fields, shown }, note);
  }

  @DeskPost(':id/cancel', MAY_CHANGE_SERVERS)
  cancel(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { note }: NoteDto) {
    return this.servers.cancel(me, id, note);
  }

  @DeskGet(':id/merge', MAY_CHANGE_SERVERS)
  previewMerge(@Id() id: number, @Query() { into }: MergeQueryDto) {
    return this.servers.previewMerge(id, into);
  }

  @DeskPost(':id/merge', MAY_CHANGE_SERVERS)
  merge(@CurrentOperator() me: DeskOperator, @Id() id: number, @Body() { into, note }: MergeDto) {
    return this.servers.merge(me, id, into, note);
  }
}
