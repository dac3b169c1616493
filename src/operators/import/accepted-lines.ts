import { readFileSync } from 'node:fs';
import { CommandFailed } from '../cli/command.js';

/** `class,old_id` of each line that an operator confirmed, from a copy of run.csv. */
export function readAccepted(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  try {
    const lines = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
    // An apostrophe keeps spreadsheets from treating a negative id as a formula.
    return new Set(lines.map((line) => line.split(',', 2).join(',').replace(",'", ',')));
  } catch (error) {
    throw new CommandFailed(
      `--accept ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
