const STATEMENT_LENGTH = 500;

interface DatabaseError extends Error {
  code?: unknown;
  /** As TypeORM sends it, with placeholders. The driver's own `sql` has the values in it. */
  query?: unknown;
  driverError?: { code?: unknown };
}

/**
 * What the log keeps of an error. Its other properties stay out: those of a database error hold the values of the
 * statement, stored passwords among them. So may its message ("Duplicate entry '…'"), which is left out as well.
 */
export function errorForLog(thrown: unknown): object {
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

/** Many rows or many who ask make a long statement; what kind it is shows at its beginning. */
function beginningOf(statement: unknown): unknown {
  return typeof statement === 'string' ? statement.slice(0, STATEMENT_LENGTH) : statement;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

/** The stack without its first part, which repeats the message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
