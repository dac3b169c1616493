import type { EntityManager } from 'typeorm';
import { runStatement } from '../../platform/database/statement.js';
import type { ImportContext } from './import-context.js';
import type { Note } from './import-report.js';
import { formatKey, hexSql } from './old-key.js';
import type { OldPlayer } from './old-player.js';

const ROWS_PER_STATEMENT = 500;
const MAX_DETAIL = 500;

/** A finding about an old row; `key` is empty if it is not about a player. */
export interface KeyedNote extends Note {
  key: string;
  name: string;
}

export function notesOf({ key, name }: Pick<OldPlayer, 'key' | 'name'>, notes: Note[]) {
  return notes.map((note): KeyedNote => ({ ...note, key, name }));
}

/** Stored with the rows that they are about, so that the report is complete even after a killed run. */
export async function storeFindings(
  { target }: ImportContext,
  manager: EntityManager,
  notes: KeyedNote[],
): Promise<void> {
  for (let at = 0; at < notes.length; at += ROWS_PER_STATEMENT) {
    const rows = notes.slice(at, at + ROWS_PER_STATEMENT).map(({ key, name, ...note }) => {
      const texts = [note.class, name, note.detail.slice(0, MAX_DETAIL), note.rule];
      return `(x'${key}', ${texts.map((text) => target.literal(text)).join(', ')})`;
    });
    const sql = `INSERT INTO import_finding (old_key, class, account, detail, rule) VALUES ${rows.join(', ')}`;
    await runStatement(manager, sql, []);
  }
}

/** Deletes the findings of these classes before they are collected again. */
export async function clearFindings(
  { target }: ImportContext,
  manager: EntityManager,
  classes: string[],
  key?: string,
): Promise<void> {
  const which = classes.map((kind) => target.literal(kind)).join(', ');
  const of = key !== undefined ? ` AND old_key = x'${key}'` : '';
  await runStatement(manager, `DELETE FROM import_finding WHERE class IN (${which})${of}`, []);
}

/** Writes everything that this and earlier runs found. */
export async function reportAllFindings({ target, report, players }: ImportContext): Promise<void> {
  for (let last = 0; ;) {
    const rows = await target.query<
      Note & { id: number | string; oldKey: string; account: string }
    >(
      `SELECT id, ${hexSql('old_key')} AS oldKey, class, account, detail, rule FROM import_finding
        WHERE id > ${last} ORDER BY id LIMIT 5000`,
    );
    for (const { oldKey, account, class: kind, detail, rule } of rows)
      report.add({
        key: formatKey(oldKey, players.numericKey),
        account,
        class: kind,
        detail,
        rule,
      });
    const end = rows.at(-1);
    if (!end) return;
    last = Number(end.id);
  }
}
