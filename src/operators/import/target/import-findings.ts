import type { EntityManager } from 'typeorm';
import { findOwnerless } from '../../../platform/auth/reserved-names.js';
import { batchesOf, runStatement } from '../../../platform/database/sql.js';
import type { ImportContext } from './import-context.js';
import { shortenFinding } from './import-report.js';
import { hexSql, NO_KEY } from '../read/old-player-reader.js';
import { type Finding, findingOf } from '../read/old-player-row.js';

export const OWNERLESS = 'roles without a player';

/** Finds names that have roles in the game, but neither a player here nor, according to `isOwned`, an old player. */
export async function ownerlessNameFindings(
  { game, target }: ImportContext,
  isOwned: (folded: string) => boolean,
): Promise<Finding[]> {
  const names = [...game.spellingsWithout(isOwned)].filter((name) => name.trim() !== '');
  const free = (await target.isMigrated())
    ? await findOwnerless(target.dataSource.manager, names)
    : names.map((name) => ({ name }));
  const [detail, rule] = ['no player has this name', 'nobody can register it'];
  return free.map(({ name }) => findingOf({ key: NO_KEY, name }, OWNERLESS, detail, rule));
}

/** Stores findings in the transaction of their rows, so that a later run can report them after a crash. */
export async function storeFindings(
  { target }: ImportContext,
  manager: EntityManager,
  findings: Finding[],
): Promise<void> {
  for (const batch of batchesOf(findings)) {
    const rows = batch.map((finding) => {
      const { key, class: kind, name, detail, rule } = shortenFinding(finding);
      return `(x'${key}', ${target.literals([kind, name, detail, rule])})`;
    });
    const sql = `INSERT INTO import_finding (old_key, class, account, detail, rule) VALUES ${rows.join(', ')}`;
    await runStatement(manager, sql);
  }
}

/** Replaces the findings of these classes about one player, or about all, and stores only findings of these classes. */
export async function replaceFindings(
  context: ImportContext,
  manager: EntityManager,
  classes: string[],
  findings: Finding[],
  key?: string,
): Promise<void> {
  const of = key !== undefined ? ` AND old_key = x'${key}'` : '';
  const which = `class IN (${context.target.literals(classes)})${of}`;
  await runStatement(manager, `DELETE FROM import_finding WHERE ${which}`);
  const fresh = findings.filter((finding) => classes.includes(finding.class));
  await storeFindings(context, manager, fresh);
}

export async function reportAllFindings({ target, report }: ImportContext): Promise<void> {
  const select = `SELECT id, ${hexSql('old_key')} AS "key", class, account AS name, detail, rule FROM import_finding`;
  for await (const rows of target.pages<Finding>(select))
    for (const finding of rows) report.add(finding);
}
