/**
 * What the log says about closings. After a restore, `gatehouse player close --again-from` reads these lines from the log
 * and repeats what the backup does not know. The time of registration tells whether an id is still the same player's.
 */
export interface ClosingRecord {
  id: number;
  createdAt: string;
  /** Null: the player keeps the account. */
  closingAt: string | null;
}

type Subject = { id: number; createdAt: Date };

// At the beginning of a message: texts from clients are inside of it.
const LINE = /(?:^|"msg":")player (\d+), registered (\S+Z), (?:closes at (\S+Z)|keeps the account)/;

export function describeClosing({ id, createdAt }: Subject, closingAt: Date | null): string {
  const what = closingAt ? `closes at ${closingAt.toISOString()}` : 'keeps the account';
  return `player ${id}, registered ${createdAt.toISOString()}, ${what}`;
}

/** The last word about each player, in lines of a log or of anything that contains them. */
export function parseClosings(text: string): ClosingRecord[] {
  const records = new Map<number, ClosingRecord>();
  for (const line of text.split('\n')) {
    const [, id, createdAt, closingAt = null] = LINE.exec(line) ?? [];
    if (createdAt) records.set(Number(id), { id: Number(id), createdAt, closingAt });
  }
  return [...records.values()];
}
