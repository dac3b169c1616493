import type { EntityManager } from 'typeorm';
import { findOwnerless } from '../../../platform/auth/reserved-names.js';
import { runStatement } from '../../../platform/database/sql.js';
import type { ImportContext } from './import-context.js';
import { type Finding, shortenFinding } from './import-report.js';
import { hexSql, NO_KEY } from '../read/old-player-reader.js';
import type { Note, OldPlayer } from '../read/old-player-row.js';
import type { RelatedRow } from '../read/related-tables.js';

const ROWS_PER_STATEMENT = 500;
const GUESSED = 'the first guess; name the character set in charsets';
export const OWNERLESS = 'roles without a player';

export function playerFindings({ key, name }: OldPlayer, notes: Note[]): Finding[] {
  return notes.map((note) => ({ ...note, key, name }));
}

export function relatedRowFindings(rows: RelatedRow[], into: 'server' | 'agent'): Finding[] {
  const finding = { key: NO_KEY, class: into };
  return rows.flatMap(({ id, problem, guess }) => {
    if (problem !== undefined)
      return [{ ...finding, name: id, detail: problem, rule: 'not imported' }];
    return guess === undefined
      ? []
      : [{ ...finding, name: id, detail: `the name may be ${guess}`, rule: GUESSED }];
  });
}

export const BAN_CLASSES = ['ban lost', 'ban reason'];

/** Returns the findings about bans that are not about an imported player. */
export function banFindings({ lostBans, guessedBans }: ImportContext): Finding[] {
  const [lost, reason] = BAN_CLASSES as [string, string];
  const finding = { key: NO_KEY, detail: 'no player has this name', rule: 'dropped' };
  return [
    ...lostBans.map(({ name }) => ({ ...finding, class: lost, name })),
    ...guessedBans.map(({ name, guesses }) => ({
      ...finding,
      class: reason,
      name,
      detail: guesses.join('; '),
      rule: GUESSED,
    })),
  ];
}

/** Finds names that have roles in the game, but neither a player here nor, by `isOwned`, an old player. */
export async function ownerlessNameFindings(
  { game, target }: ImportContext,
  isOwned: (folded: string) => boolean,
): Promise<Finding[]> {
  const names = [...game.spellingsWithout(isOwned)].filter((name) => name.trim() !== '');
  const free = (await target.isMigrated())
    ? await findOwnerless(target.dataSource.manager, names)
    : names.map((name) => ({ name }));
  return free.map(({ name }) => ({
    key: NO_KEY,
    name,
    class: OWNERLESS,
    detail: 'no player has this name',
    rule: 'nobody can register it',
  }));
}

/** Stores findings in the transaction of their rows, so that a later run can report them after a crash. */
export async function storeFindings(
  { target }: ImportContext,
  manager: EntityManager,
  findings: Finding[],
): Promise<void> {
  for (let at = 0; at < findings.length; at += ROWS_PER_STATEMENT) {
    const rows = findings.slice(at, at + ROWS_PER_STATEMENT).map((finding) => {
      const { key, class: kind, name, detail, rule } = shortenFinding(finding);
      const texts = [kind, name, detail, rule];
      return `(x'${key}', ${texts.map((text) => target.literal(text)).join(', ')})`;
    });
    const sql = `INSERT INTO import_finding (old_key, class, account, detail, rule) VALUES ${rows.join(', ')}`;
    await runStatement(manager, sql);
  }
}

/** Deletes the findings of these classes before they are collected again. */
export async function clearFindings(
  { target }: ImportContext,
  manager: EntityManager,
  classes: string[],
  key?: string,
): Promise<void> {
  const of = key !== undefined ? ` AND old_key = x'${key}'` : '';
  const list = classes.map((kind) => target.literal(kind)).join(', ');
  const sql = `DELETE FROM import_finding WHERE class IN (${list})${of}`;
  await runStatement(manager, sql);
}

export async function reportAllFindings({ target, report }: ImportContext): Promise<void> {
  for (let last = 0; ;) {
    const rows = await target.query<Omit<Finding, 'key'> & { id: number | string; oldKey: string }>(
      `SELECT id, ${hexSql('old_key')} AS oldKey, class, account AS name, detail, rule
         FROM import_finding WHERE id > ${last} ORDER BY id LIMIT 5000`,
    );
    for (const { oldKey, ...finding } of rows) report.add({ ...finding, key: oldKey });
    const end = rows.at(-1);
    if (!end) return;
    last = Number(end.id);
  }
}
