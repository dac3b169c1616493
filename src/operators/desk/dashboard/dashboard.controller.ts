import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentSession } from '../access/current-operator.decorator.js';
import { DoesNotExtendSession } from '../access/does-not-extend-session.decorator.js';
import { DeskGet } from '../desk-route.decorator.js';
import { MAY_READ } from '../permissions.js';
import { EventStream } from '../live/event-stream.js';
import { DashboardStream } from './dashboard-stream.js';
import { DashboardService } from './dashboard.service.js';

@Controller('now')
export class DashboardController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly stream: DashboardStream,
  ) {}

  @DeskGet('', MAY_READ)
  load() {
    return this.dashboard.current();
  }

  @DeskGet('live', MAY_READ)
  @DoesNotExtendSession()
  subscribe(@CurrentSession() session: string, @Res() response: Response) {
    return this.stream.subscribe(() => new EventStream(response), session);
  }
}
