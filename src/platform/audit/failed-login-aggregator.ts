import type { NewLoginEvent } from './new-login-event.js';

const MINUTE_MS = 60_000;
// Per minute: for accounts with addresses, and again for accounts alone.
const MAX_KEYS = 500;

/**
 * Limits the rows of a flood of failed sign-ins: the first failure of an account and address in a minute is a row, and
 * all others of that minute together are a second one. Unknown names count as one account. With too many addresses it
 * counts by account, and in the end by the failure alone.
 */
export class FailedLoginAggregator {
  private since = performance.now();
  private readonly exact = new Map<string, NewLoginEvent>();
  private readonly byAccount = new Map<string, NewLoginEvent>();
  private readonly byOutcome = new Map<string, NewLoginEvent>();

  /** Returns the event if it must be written by itself. */
  add(event: NewLoginEvent): NewLoginEvent | undefined {
    const failure = `${event.way} ${event.outcome}`;
    const account = `${failure} ${event.playerId ?? '?'}`;
    const key = `${account} ${event.address}`;
    if (addToExisting(this.exact, key, event)) return undefined;
    if (this.exact.size < MAX_KEYS) {
      this.exact.set(key, { ...event, tries: 0 });
      return event;
    }
    if (addToExisting(this.byAccount, account, event)) return undefined;
    if (this.byAccount.size < MAX_KEYS) this.byAccount.set(account, withoutDetails(event));
    else if (!addToExisting(this.byOutcome, failure, event))
      this.byOutcome.set(failure, { ...withoutDetails(event), playerId: null });
    return undefined;
  }

  /** The counted failures: of a minute that has ended, or all. */
  drain(all = false): NewLoginEvent[] {
    if (!all && performance.now() - this.since < MINUTE_MS) return [];
    this.since = performance.now();
    const tables = [this.exact, this.byAccount, this.byOutcome];
    const counted = tables.flatMap((table) => [...table.values()].filter(({ tries }) => tries > 0));
    for (const table of tables) table.clear();
    return counted;
  }
}

function addToExisting(
  table: Map<string, NewLoginEvent>,
  key: string,
  event: NewLoginEvent,
): boolean {
  const counted = table.get(key);
  if (!counted) return false;
  counted.tries += event.tries;
  counted.time = event.time;
  return true;
}

/** The row covers many addresses, names and requests. */
function withoutDetails(event: NewLoginEvent): NewLoginEvent {
  return { ...event, account: null, address: null, device: null, requestId: null };
}
