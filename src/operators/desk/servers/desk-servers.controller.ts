import { Body, Controller, Query } from '@nestjs/common';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { Id } from '../id.decorator.js';
import { NoteDto } from '../pagination.dto.js';
import { MAY_CHANGE_SERVERS, MAY_READ } from '../permissions.js';
import { DeskServersService } from './desk-servers.service.js';
import { MergeDto, MergeQueryDto, PreviewDto, StatusDto } from './servers.dto.js';

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
  ) {
    return this.servers.set(me, id, fields, note);
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
