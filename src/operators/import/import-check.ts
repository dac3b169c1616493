import { KeyCounter } from './decide/collation-keys.js';
import { ImportPlan } from './decide/import-plan.js';
import { LinkDecisions } from './decide/link-decisions.js';
import { foldName } from './read/old-values.js';
import { commonHashes, type OldPlayer } from './read/old-player-row.js';
import { readRelatedRows } from './read/related-tables.js';
import type { ImportContext } from './target/import-context.js';
import {
  banFindings,
  ownerlessNameFindings,
  playerFindings,
  relatedRowFindings,
} from './target/import-findings.js';
import { Progress } from './target/import-report.js';
import { readPending } from './target/imported-players.js';

/** Reports what a run would do, and changes nothing. */
export class ImportCheck {
  private readonly totals = {
    players: 0,
    banned: 0,
    withMailbox: 0,
    withRoles: 0,
    /** Counts hashes of common passwords, both keyed hashes and each form that only imported players may have. */
    commonKeyed: 0,
    commonOther: {} as Record<string, number>,
  };
  private readonly skipped = new Set<string>();
  private readonly names = new KeyCounter();
  private readonly common: Map<string, string>;

  constructor(
    private readonly context: ImportContext,
    key: string,
  ) {
    this.common = commonHashes(key);
  }

  async run() {
    const { players, target, report } = this.context;
    const total = await players.count();
    const read = (label: string) => () => {
      const progress = new Progress(label, total);
      return readPending(this.context, (rows) => progress.advance(rows));
    };
    const { manager } = target.dataSource;
    const plan = await ImportPlan.make(this.context, manager, read('comparing'));
    for await (const chunk of read('deciding')()) for (const old of chunk) this.report(plan, old);
    const findings = [
      ...relatedRowFindings(await readRelatedRows(this.context, 'agent'), 'agent'),
      ...relatedRowFindings(await readRelatedRows(this.context, 'server'), 'server'),
      ...banFindings(this.context),
      ...(await ownerlessNameFindings(this.context, (name) => this.names.count(name) > 0)),
    ];
    const links = new LinkDecisions(this.context, (key) => this.skipped.has(key));
    for await (const batch of links.read()) findings.push(...batch.findings);
    for (const finding of findings) report.add(finding);
    return this.totals;
  }

  private report(plan: ImportPlan, old: OldPlayer): void {
    const { totals } = this;
    totals.players++;
    if (old.ban) totals.banned++;
    if (old.email !== null) totals.withMailbox++;
    if (this.context.game.spellingsOf(old.name).length > 0) totals.withRoles++;
    const form = this.common.get(old.password);
    if (form === 'keyed') totals.commonKeyed++;
    else if (form !== undefined) totals.commonOther[form] = (totals.commonOther[form] ?? 0) + 1;
    if (old.isSkipped) this.skipped.add(old.key);
    else this.names.add(foldName(old.name));
    const notes = old.isSkipped ? old.notes : plan.decide(old).notes;
    for (const finding of playerFindings(old, notes)) this.context.report.add(finding);
  }
}
