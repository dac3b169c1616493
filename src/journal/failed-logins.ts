import type { LoginNote } from './login-note.js';

const MINUTE_MS = 60_000;
// Of one minute: of accounts with their addresses, and again of accounts alone.
const MOST_KEYS = 500;

/**
 * Keeps a flood of failed sign-ins to a bounded number of rows: of the same failure, account and address the first of
 * a minute is a row, and the others of that minute together a second one. Names that nobody has count as one account.
 * Where there are too many addresses they are counted by account, and in the end by the failure alone.
 */
export class FailedLogins {
  private since = Date.now();
  private readonly exact = new Map<string, LoginNote>();
  private readonly byAccount = new Map<string, LoginNote>();
  private readonly byOutcome = new Map<string, LoginNote>();

  /** The note, where it is to be written by itself. */
  add(note: LoginNote): LoginNote | undefined {
    const failure = `${note.way} ${note.outcome}`;
    const account = `${failure} ${note.playerId ?? '?'}`;
    const key = `${account} ${note.address}`;
    if (count(this.exact, key, note)) return undefined;
    if (this.exact.size < MOST_KEYS) {
      this.exact.set(key, { ...note, tries: 0 });
      return note;
    }
    if (count(this.byAccount, account, note)) return undefined;
    if (this.byAccount.size < MOST_KEYS) this.byAccount.set(account, coarse(note));
    else if (!count(this.byOutcome, failure, note))
      this.byOutcome.set(failure, { ...coarse(note), playerId: null });
    return undefined;
  }

  /** What was only counted: of a minute that has ended, or all of it. */
  take(all = false): LoginNote[] {
    if (!all && Date.now() - this.since < MINUTE_MS) return [];
    this.since = Date.now();
    const tables = [this.exact, this.byAccount, this.byOutcome];
    const counted = tables.flatMap((table) => [...table.values()].filter(({ tries }) => tries > 0));
    for (const table of tables) table.clear();
    return counted;
  }
}

function count(table: Map<string, LoginNote>, key: string, note: LoginNote): boolean {
  const counted = table.get(key);
  if (!counted) return false;
  counted.tries += note.tries;
  counted.time = note.time;
  return true;
}

/** Many addresses, names and requests stand behind it. */
function coarse(note: LoginNote): LoginNote {
  return { ...note, account: null, address: null, device: null, requestId: null };
}
