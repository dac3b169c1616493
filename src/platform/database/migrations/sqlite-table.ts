const TABLE = /^ ?CREATE TABLE IF NOT EXISTS (\w+) \((.*)\)([^)]*)$/;
const COMMENT = /\s+COMMENT(?: =)? '(?:[^']|'')*'/g;
const KEY = /^(UNIQUE )?KEY (\w+) \((.*)\)$/;
const FOREIGN_KEY = /^CONSTRAINT (\w+) FOREIGN KEY \((\w+)\) REFERENCES (\w+) \((\w+)\) (.*)$/;
const CHECK = /^CONSTRAINT \w+ (CHECK .*)$/;
const COLUMN = /^(\w+) (\w+)(?:\(([^)]*)\))?(.*)$/;
const DEFAULT = /\bDEFAULT (\(.*\)|'[^']*'|\S+)/;
const GENERATED = /\bAS (\(.*\) STORED)/;
const COLLATION = /\bCOLLATE(?: =)? (\w+|\/\*)/;

const TYPES: Record<string, string> = {
  BIGINT: 'bigint',
  INT: 'integer',
  TEXT: 'text',
  TINYINT: 'boolean',
  VARBINARY: 'blob',
};
const MILLISECONDS = `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
const TIMES: Record<string, string> = {
  'CURRENT_TIMESTAMP(6)': `datetime('now')`,
  'CURRENT_TIMESTAMP(3)': MILLISECONDS,
  '(UTC_TIMESTAMP(3))': MILLISECONDS,
};

/** Converts a MySQL `CREATE TABLE` to the statements that create the table and its indexes in SQLite. */
export function toSqlite(createTable: string): string[] {
  const [, table, body, options] =
    TABLE.exec(createTable.replaceAll(COMMENT, '').replaceAll(/\s+/g, ' ')) ?? [];
  if (!table || !body || !options) throw new Error(`not a CREATE TABLE: ${createTable}`);
  const ignoresCase = COLLATION.exec(options)?.[1] === 'utf8mb4_unicode_ci';
  const parts = splitAtCommas(body);
  const hasRowNumber = parts.some((part) => part.includes('AUTO_INCREMENT'));
  const [columns, constraints, indexes]: [string[], string[], string[]] = [[], [], []];
  for (const part of parts) {
    const [, unique = '', key, keyColumns] = KEY.exec(part) ?? [];
    const [, name, column, other, otherColumn, rules] = FOREIGN_KEY.exec(part) ?? [];
    const [, check] = CHECK.exec(part) ?? [];
    if (key) indexes.push(`CREATE ${unique}INDEX "${key}" ON "${table}" (${quote(keyColumns!)})`);
    else if (name)
      constraints.push(
        `CONSTRAINT "${name}" FOREIGN KEY ("${column}") REFERENCES "${other}" ("${otherColumn}") ${rules}`,
      );
    else if (check) constraints.push(check);
    else if (!part.startsWith('PRIMARY KEY')) columns.push(toColumn(part, ignoresCase));
    else if (!hasRowNumber) constraints.push(`PRIMARY KEY ${quote(part.slice(12))}`);
  }
  return [
    `CREATE TABLE "${table}" (\n  ${[...columns, ...constraints].join(',\n  ')}\n)`,
    ...indexes,
  ];
}

/** Converts a column, and adds checks for values that MySQL's type would reject. */
function toColumn(part: string, tableIgnoresCase: boolean): string {
  const [, column, type = '', size, rest = ''] = COLUMN.exec(part) ?? [];
  const name = `"${column}"`;
  if (rest.includes('AUTO_INCREMENT')) return `${name} integer PRIMARY KEY AUTOINCREMENT NOT NULL`;
  const orNull = rest.includes('NOT NULL') ? '' : `${name} IS NULL OR `;
  const value = DEFAULT.exec(rest)?.[1];
  const generated = GENERATED.exec(rest)?.[1];
  const collation = COLLATION.exec(rest)?.[1];
  const ignoresCase = collation ? collation === 'utf8mb4_unicode_ci' : tableIgnoresCase;
  const end = [
    rest.includes('NOT NULL') && 'NOT NULL',
    value && `DEFAULT (${TIMES[value] ?? value})`,
    generated && `AS ${generated}`,
  ].filter(Boolean);
  const define = (...beginning: string[]) => [name, ...beginning, ...end].join(' ');
  if (type === 'ENUM') return define(`varchar CHECK( ${name} IN (${size}) )`);
  if (type === 'DATETIME')
    return define(
      size === '3' ? 'datetime(3)' : 'datetime',
      `CHECK (${orNull}julianday(${name}) IS NOT NULL)`,
    );
  if (type === 'VARCHAR')
    return define(
      `varchar(${size})`,
      ...(ignoresCase ? ['COLLATE NOCASE'] : []),
      `CHECK (length(${name}) <= ${size})`,
    );
  if (!TYPES[type]) throw new Error(`no type of the embedded database for ${part}`);
  return define(TYPES[type]);
}

function quote(names: string): string {
  return names.replaceAll(/\w+/g, '"$&"');
}

/** Splits at the commas that are not in parentheses. */
export function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts.push(parts.pop() + letter);
  }
  return parts.map((part) => part.trim());
}
