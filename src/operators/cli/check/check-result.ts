export interface CheckResult {
  what: string;
  /** Only `wrong` sets the exit code to 1. */
  state: 'good' | 'note' | 'wrong';
  text: string;
}

export const passed = (what: string, text: string): CheckResult => ({ what, state: 'good', text });
export const info = (what: string, text: string): CheckResult => ({ what, state: 'note', text });
export const failed = (what: string, text: string): CheckResult => ({ what, state: 'wrong', text });

/** Runs a check, and turns a thrown error into a finding. */
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
