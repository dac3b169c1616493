import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentSession } from '../access/current-operator.decorator.js';
import { DoesNotExtendSession } from '../access/does-not-extend-session.decorator.js';
import { DeskGet } from '../desk-route.decorator.js';
import { MAY_READ } from '../permissions.js';
import { EventStream } from '../live/event-stream.js';
import { NowLive } from './now-live.js';
import { NowService } from './now.service.js';

@Controller('now')
export class NowController {
  constructor(
    private readonly now: NowService,
    private readonly live: NowLive,
  ) {}

  @DeskGet('', MAY_READ)
  look() {
    return this.now.now();
  }

  @DeskGet('live', MAY_READ)
  @DoesNotExtendSession()
  follow(@CurrentSession() session: string, @Res() response: Response) {
    return this.live.follow(() => new EventStream(response), session);
  }
}
