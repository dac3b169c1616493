import { Controller } from '@nestjs/common';
import { DeskGet } from '../desk-route.decorator.js';
import { MAY_READ } from '../permissions.js';
import { DashboardService } from './dashboard.service.js';

@Controller('now')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @DeskGet('', MAY_READ)
  load() {
    return this.dashboard.current();
  }
}
