import { Controller } from '@nestjs/common';
import { MAY_READ } from '../access/permissions.js';
import { DeskGet } from '../http/desk-route.decorator.js';
import { DashboardService } from './dashboard.service.js';

@Controller('now')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @DeskGet('', MAY_READ)
  load() {
    return this.dashboard.current();
  }
}
