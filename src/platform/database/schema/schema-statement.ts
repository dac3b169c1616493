/** Something that a statement creates or removes, under the name that the database knows it by. */
export interface SchemaPart {
  readonly kind: 'table' | 'column' | 'key' | 'constraint';
  readonly name: string;
}

/** What a statement of a migration does to the schema. */
export interface SchemaStatement {
  readonly verb: 'create table' | 'alter table' | 'create index';
  readonly table: string;
  readonly adds: SchemaPart[];
  readonly drops: SchemaPart[];
  /** Of `CREATE TABLE`: its columns in order, and its comment. */
  readonly columns: string[];
  readonly comment: string;
  /** Of `ALTER TABLE`: each change as it was written. */
  readonly changes: string[];
}

const NAME = '[`"]?(\\w+)[`"]?';
const TEXT = "'(?:[^']|'')*'";
const CREATE_TABLE = new RegExp(
  // Behind the last parenthesis that stands in no text.
  `^CREATE TABLE ${NAME} ?\\((.*)\\)((?:[^)']|${TEXT})*)$`,
  'i',
);
const CREATE_INDEX = new RegExp(`^CREATE (?:UNIQUE )?INDEX ${NAME} ON ${NAME}`, 'i');
const ALTER_TABLE = new RegExp(`^ALTER TABLE ${NAME} (.*)$`, 'i');
const NO_COLUMN = /^(PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FOREIGN|CHECK)\b/i;
const OPTION = /^(ALGORITHM|LOCK) ?=/i;
const REPEATABLE = /^MODIFY\b/i;
const KINDS: Array<[RegExp, SchemaPart['kind']]> = [
  [new RegExp(`^(?:ADD|DROP) COLUMN ${NAME}`, 'i'), 'column'],
  [new RegExp(`^ADD (?:UNIQUE )?(?:KEY|INDEX) ${NAME}`, 'i'), 'key'],
  [new RegExp(`^DROP (?:KEY|INDEX) ${NAME}`, 'i'), 'key'],
  [new RegExp(`^(?:ADD|DROP) CONSTRAINT ${NAME}`, 'i'), 'constraint'],
  [new RegExp(`^DROP FOREIGN KEY ${NAME}`, 'i'), 'constraint'],
];

/** Reads a statement of a migration; undefined for one that changes rows, or has a form that migrations do not use. */
export function readSchemaStatement(sql: string): SchemaStatement | undefined {
  const text = sql.trim().replaceAll(/\s+/g, ' ');
  const nothing = { adds: [], drops: [], columns: [], comment: '', changes: [] };
  const created = CREATE_TABLE.exec(text);
  if (created) {
    const [, table = '', body = '', options = ''] = created;
    const columns = partsOf(body).filter((part) => !NO_COLUMN.test(part));
    return {
      ...nothing,
      verb: 'create table',
      table,
      adds: [{ kind: 'table', name: table }],
      columns: columns.map((column) => new RegExp(`^${NAME}`).exec(column)?.[1] ?? column),
      comment: /COMMENT ?= ?'((?:[^']|'')*)'/i.exec(options)?.[1]?.replaceAll("''", "'") ?? '',
    };
  }
  const index = CREATE_INDEX.exec(text);
  if (index) {
    const [, name = '', table = ''] = index;
    return { ...nothing, verb: 'create index', table, adds: [{ kind: 'key', name }] };
  }
  const altered = ALTER_TABLE.exec(text);
  const changes = altered && readChanges(altered[2]!);
  return changes ? { ...nothing, verb: 'alter table', table: altered[1]!, ...changes } : undefined;
}

function readChanges(list: string) {
  const changes = partsOf(list).filter((change) => !OPTION.test(change));
  const adds: SchemaPart[] = [];
  const drops: SchemaPart[] = [];
  for (const change of changes.filter((each) => !REPEATABLE.test(each))) {
    const [form, kind] = KINDS.find(([known]) => known.test(change)) ?? [];
    if (!form || !kind) return undefined;
    const part = { kind, name: form.exec(change)![1]! };
    (/^ADD/i.test(change) ? adds : drops).push(part);
  }
  return { adds, drops, changes };
}

/** Splits at the commas that stand in no quotes and no parentheses. */
function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of list.matchAll(new RegExp(`${TEXT}|.`, 'g'))) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}
