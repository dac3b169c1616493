import { KeyCounter } from './decide/collation-keys.js';
import { findObstacle, ImportPlan } from './decide/import-plan.js';
import { LinkDecisions } from './decide/link-decisions.js';
import { foldName } from './read/old-values.js';
import { commonHashes } from './read/old-player-row.js';
import { readRelatedRows } from './read/related-tables.js';
import type { ImportContext } from './target/import-context.js';
import { ownerlessNameFindings } from './target/import-findings.js';
import { startProgress } from './target/import-report.js';
import { findChanged, readPending } from './target/imported-players.js';

/** Reports what a run would do, and changes nothing. */
export async function checkImport(context: ImportContext, key: string) {
  const { players, target, game, report } = context;
  const totals = { players: 0, banned: 0, withMailbox: 0, withRoles: 0 };
  /** Counts hashes of common passwords by hash format. */
  const forms = new Map<string, number>();
  const common = commonHashes(key);
  const skipped = new Set<string>();
  const names = new KeyCounter();
  const { total } = await players.count();
  const { ranges, unchanged } = await findChanged(context);
  const read = (label: string) => () =>
    readPending(context, ranges, startProgress(label, total - unchanged));
  const plan = await ImportPlan.make(context, target.dataSource.manager, read('comparing'));
  for await (const chunk of read('deciding')())
    for (const old of chunk) {
      totals.players++;
      if (old.ban) totals.banned++;
      if (old.email !== null) totals.withMailbox++;
      if (game.spellingsOf(old.name).length > 0) totals.withRoles++;
      const form = common.get(old.password);
      if (form !== undefined) forms.set(form, (forms.get(form) ?? 0) + 1);
      const obstacle = findObstacle(context, old);
      if (obstacle) skipped.add(old.key);
      else names.add(foldName(old.name));
      for (const finding of obstacle ? [obstacle] : plan.decide(old).findings) report.add(finding);
    }
  const findings = [
    ...(await readRelatedRows(context, 'agent')).findings,
    ...(await readRelatedRows(context, 'server')).findings,
    ...context.banFindings,
    ...(await ownerlessNameFindings(context, (name) => names.count(name) > 0)),
  ];
  const links = new LinkDecisions(context, (each) => skipped.has(each));
  for await (const batch of links.read()) findings.push(...batch.findings);
  for (const finding of findings) report.add(finding);
  return { ...totals, forms };
}
