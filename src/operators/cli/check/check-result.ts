/** One line of `gatehouse check`. */
export interface CheckResult {
  what: string;
  /** `wrong` makes the exit code 1; `note` is worth knowing. */
  state: 'good' | 'note' | 'wrong';
  /** What was found; where it is wrong, what to do. */
  text: string;
}

export const passed = (what: string, text: string): CheckResult => ({ what, state: 'good', text });
export const info = (what: string, text: string): CheckResult => ({ what, state: 'note', text });
export const failed = (what: string, text: string): CheckResult => ({ what, state: 'wrong', text });

/** An error thrown by a check is its finding. */
export async function runCheck(
  what: string,
  check: () => Promise<CheckResult[]>,
): Promise<CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return [failed(what, message || code || String(error))];
  }
}
