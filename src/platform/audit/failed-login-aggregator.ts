import type { NewLoginEvent } from './new-login-event.js';

const MINUTE_MS = 60_000;
// Of one minute: of accounts with their addresses, and again of accounts alone.
const MAX_KEYS = 500;

/**
 * Keeps a flood of failed sign-ins to a bounded number of rows: of the same failure, account and address the first of
 * a minute is a row, and the others of that minute together a second one. Names that nobody has count as one account.
 * Where there are too many addresses they are counted by account, and in the end by the failure alone.
 */
export class FailedLoginAggregator {
  private since = Date.now();
  private readonly exact = new Map<string, NewLoginEvent>();
  private readonly byAccount = new Map<string, NewLoginEvent>();
  private readonly byOutcome = new Map<string, NewLoginEvent>();

  /** The note, where it is to be written by itself. */
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

  /** What was only counted: of a minute that has ended, or all of it. */
  drain(all = false): NewLoginEvent[] {
    if (!all && Date.now() - this.since < MINUTE_MS) return [];
    this.since = Date.now();
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

/** Many addresses, names and requests stand behind it. */
function withoutDetails(event: NewLoginEvent): NewLoginEvent {
  return { ...event, account: null, address: null, device: null, requestId: null };
}
