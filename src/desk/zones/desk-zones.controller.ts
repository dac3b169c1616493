import { Body, Controller, Param, Query } from '@nestjs/common';
import { CurrentOperator } from '../access/current-operator.decorator.js';
import type { DeskOperator } from '../access/role.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { IdPipe } from '../id.pipe.js';
import { NoteDto } from '../list.dto.js';
import { MAY_CHANGE_ZONES, MAY_READ } from '../permissions.js';
import { DeskZonesService } from './desk-zones.service.js';
import { MergeDto, MergeQueryDto, PreviewDto, StatusDto } from './zones.dto.js';

@Controller('zones')
export class DeskZonesController {
  constructor(private readonly zones: DeskZonesService) {}

  @DeskGet('', MAY_READ)
  list() {
    return this.zones.list();
  }

  @DeskPost('preview', MAY_CHANGE_ZONES)
  preview(@Body() { id }: PreviewDto, @Body('fields') fields: unknown) {
    return this.zones.preview(id, fields);
  }

  @DeskPost('status', MAY_CHANGE_ZONES)
  setStatus(
    @CurrentOperator() me: DeskOperator,
    @Body() dto: StatusDto,
    @Body('ids') ids: unknown,
  ) {
    return this.zones.setStatus(me, ids, dto);
  }

  @DeskPost('', MAY_CHANGE_ZONES)
  add(
    @CurrentOperator() me: DeskOperator,
    @Body() { note }: NoteDto,
    @Body('fields') fields: unknown,
  ) {
    return this.zones.add(me, fields, note);
  }

  @DeskPost(':id', MAY_CHANGE_ZONES)
  set(
    @CurrentOperator() me: DeskOperator,
    @Param('id', new IdPipe()) id: number,
    @Body() { note }: NoteDto,
    @Body('fields') fields: unknown,
  ) {
    return this.zones.set(me, id, fields, note);
  }

  @DeskGet(':id/merge', MAY_CHANGE_ZONES)
  beforeMerge(@Param('id', new IdPipe()) id: number, @Query() { into }: MergeQueryDto) {
    return this.zones.beforeMerge(id, into);
  }

  @DeskPost(':id/merge', MAY_CHANGE_ZONES)
  merge(
    @CurrentOperator() me: DeskOperator,
    @Param('id', new IdPipe()) id: number,
    @Body() { into, note }: MergeDto,
  ) {
    return this.zones.merge(me, id, into, note);
  }
}
