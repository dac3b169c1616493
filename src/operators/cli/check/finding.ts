/** One line of `gatehouse check`. */
export interface Finding {
  what: string;
  /** `wrong` makes the exit code 1; `note` is worth knowing. */
  state: 'good' | 'note' | 'wrong';
  /** What was found; where it is wrong, what to do. */
  text: string;
}

export const good = (what: string, text: string): Finding => ({ what, state: 'good', text });
export const info = (what: string, text: string): Finding => ({ what, state: 'note', text });
export const wrong = (what: string, text: string): Finding => ({ what, state: 'wrong', text });

/** What a check throws is its finding. */
export async function runCheck(what: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return [wrong(what, message || code || String(error))];
  }
}
