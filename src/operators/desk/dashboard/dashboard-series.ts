import { Injectable } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { WithdrawalSearch } from '../../actions/withdrawals/withdrawal-search.js';

const STEP_MINUTES = 5;
const STEP_MS = STEP_MINUTES * 60_000;
const STEPS = 12;
// A step is recounted until this time has passed, because failed sign-ins are stored once a minute.
const SETTLE_MS = 120_000;

type Counts = Awaited<ReturnType<EventSearch['count']>> & { withdrawals: number };

/** Counts the events of the last hour in steps of five minutes, newest last. Each finished step is counted once. */
@Injectable()
export class DashboardSeries {
  private readonly finished = new Map<number, Counts>();

  constructor(
    private readonly events: EventSearch,
    private readonly withdrawals: WithdrawalSearch,
  ) {}

  async lastHour() {
    const newest = Math.floor(Date.now() / STEP_MS);
    const steps = Array.from({ length: STEPS }, (_, place) => newest - STEPS + 1 + place);
    for (const step of this.finished.keys()) if (step < steps[0]!) this.finished.delete(step);
    const counts = await Promise.all(steps.map((step) => this.countsOf(step)));
    return {
      minutes: STEP_MINUTES * STEPS,
      step: STEP_MINUTES,
      logins: counts.map(({ logins }) => logins),
      refusals: counts.map(({ refusals }) => refusals),
      registrations: counts.map(({ registrations }) => registrations),
      withdrawals: counts.map(({ withdrawals }) => withdrawals),
    };
  }

  private async countsOf(step: number): Promise<Counts> {
    const known = this.finished.get(step);
    if (known) return known;
    const [from, to] = [new Date(step * STEP_MS), new Date((step + 1) * STEP_MS)];
    const [signIns, withdrawals] = await Promise.all([
      this.events.count(from, to),
      this.withdrawals.count(from, to),
    ]);
    const counts = { ...signIns, withdrawals };
    if (Date.now() > to.getTime() + SETTLE_MS) this.finished.set(step, counts);
    return counts;
  }
}
