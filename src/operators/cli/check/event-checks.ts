import { Injectable } from '@nestjs/common';
import { formatMinute, HOUR_MS } from '../../../platform/config/time.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import {
  type EndpointBacklog,
  EventBacklog,
} from '../../../platform/events/event-backlog.service.js';
import { type CheckResult, failed, info, passed } from './check-result.js';

/** Finds endpoints that do not get their events. */
@Injectable()
export class EventChecks {
  constructor(private readonly backlog: EventBacklog) {}

  async run(): Promise<CheckResult[]> {
    const found = await this.backlog.find();
    return found.length > 0
      ? found.flatMap(describeBacklog)
      : [info('events', 'no endpoint in the settings')];
  }
}

function describeBacklog(backlog: EndpointBacklog) {
  const { endpoint, waiting, oldest, dead, problem, isRemoved } = backlog;
  const what = `events for ${endpoint || 'a command'}`;
  const since = oldest ? `, the oldest since ${formatMinute(oldest)} UTC` : '';
  const isLate = oldest !== null && currentTime() - oldest.getTime() > HOUR_MS;
  const waits = `${waiting} wait${since}`;
  if (isRemoved) return [info(what, `${problem}; ${waits}, ${dead} are dead`)];
  return [
    ...(problem ? [failed(what, `${problem}; ${waits}`)] : []),
    ...(!problem && isLate ? [failed(what, `${waits}: look for ${endpoint} in the log`)] : []),
    ...(dead > 0 ? [failed(what, `${dead} are dead: gatehouse events dead`)] : []),
    ...(!problem && !isLate && dead === 0 ? [passed(what, waits)] : []),
  ];
}
