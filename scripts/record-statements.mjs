/**
 * Prints one statement of each form that a release sends to the account database, from the general log of a MariaDB
 * that served it: `node scripts/record-statements.mjs <log> > test/support/previous-release.sql` (CONTRIBUTING, "Releasing").
 */
import { readFileSync } from 'node:fs';

const ENTRY =
  /^(?:\d{6} [ \d:]+|\t\t| *)\t? *\d+ (Query|Connect|Quit|Init DB|Prepare|Execute)\t(.*)$/;
const OURS =
  /\b(player|server|agent|chat|withdraw\w*|verify|login_address|registration_day|used_once|player_connect_threeparty)\b/;
const NOT_OURS =
  /information_schema|migration|@@|VERSION\(\)|mir_actor|actors|globaluser|typeorm_metadata|mariadbd/i;

const entries = [];
for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  const entry = ENTRY.exec(line);
  if (entry) entries.push({ kind: entry[1], sql: entry[2] });
  else if (entries.length > 0) entries.at(-1).sql += ` ${line}`;
}

/** Equal for statements that differ in their values alone. */
function formOf(sql) {
  return sql
    .replaceAll(/'(?:[^'\\]|\\.|'')*'/g, '?')
    .replaceAll(/\b\d+\b|\bNULL\b|\bDEFAULT\b|\btrue\b|\bfalse\b/g, '?')
    .replaceAll(/\(\?(?:, ?\?)*\)(?:, ?\(\?(?:, ?\?)*\))*/g, '(?)');
}

const forms = new Map();
for (const { kind, sql } of entries) {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  if (kind !== 'Query' || !/^\(?(SELECT|INSERT|UPDATE|DELETE)\b/.test(text)) continue;
  // The service changes no table as a whole; tests do, also as the schema refuses.
  if (/^(UPDATE|DELETE)/.test(text) && !text.includes(' WHERE ')) continue;
  // Lookups are batched: how many there are in one is chance.
  if (!OURS.test(text) || NOT_OURS.test(text) || text.includes(' UNION ALL ')) continue;
  if (!forms.has(formOf(text))) forms.set(formOf(text), text);
}

// Rows must be there before they are changed, and links need their players.
const ORDER = [/^INSERT INTO `?player`?\b/, /^INSERT/, /^\(?SELECT/, /^UPDATE/, /^DELETE/];
const placeOf = (sql) => ORDER.findIndex((start) => start.test(sql));
const statements = [...forms.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
console.log(statements.join(';\n') + ';');
