const ESCAPES: Record<string, string> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
};

/** MySQL writes a quote inside a string as \' where SQLite knows only ''. */
export function toSqliteStatement(statement: string): string {
  return statement.replaceAll(/'((?:[^'\\]|\\.|'')*)'/gs, (_, inside: string) => {
    const value = inside
      .replaceAll("''", "'")
      .replaceAll(/\\(.)/gs, (_escape, letter: string) => ESCAPES[letter] ?? letter);
    return `'${value.replaceAll("'", "''")}'`;
  });
}
