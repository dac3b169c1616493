const STATEMENT_LENGTH = 500;

interface DatabaseError extends Error {
  code?: unknown;
  /** TypeORM's statement with placeholders; the driver's own `sql` contains the values. */
  query?: unknown;
  driverError?: { code?: unknown };
}

/**
 * What the log keeps of an error. A database error's other properties, and its message ("Duplicate entry '…'"), may
 * contain values such as password hashes, so they are left out.
 */
export function serializeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { message, query, driverError, cause } = thrown as DatabaseError;
  const isOfDatabase = driverError !== undefined || 'sqlState' in thrown;
  return {
    type: thrown.constructor.name,
    code: codeOf(thrown) ?? codeOf(driverError) ?? codeOf(cause),
    ...(isOfDatabase ? { statement: beginningOf(query) } : { message }),
    stack: isOfDatabase ? framesOf(thrown) : thrown.stack,
  };
}

/** Batched statements are long; the beginning shows which one it is. */
function beginningOf(statement: unknown): unknown {
  return typeof statement === 'string' ? statement.slice(0, STATEMENT_LENGTH) : statement;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

/** The stack without its first line, which repeats the message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
