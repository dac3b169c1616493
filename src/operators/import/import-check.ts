import { hash } from 'node:crypto';
import { legacyHashes } from '../../features/accounts/legacy-hashes.js';
import { COMMON_PASSWORDS } from './common-passwords.js';
import type { ImportContext } from './import-context.js';
import { reportFinding } from './import-context.js';
import { ImportPlan } from './import-plan.js';
import { readPending } from './imported-players.js';
import { LinkDecisions } from './link-decisions.js';
import type { OldPlayer } from './old-player.js';
import { Progress } from './progress.js';
import { type Reference, readRelatedRows } from './related-tables.js';
import { lostBanNotes, relatedNotes } from './related-tables-importer.js';

export interface CheckTotals {
  players: number;
  banned: number;
  withMailbox: number;
  withRoles: number;
  /** Hashes of common passwords: with the key, and in the forms that only imported players may have. */
  commonKeyed: number;
  commonOther: Record<string, number>;
}

/** Reads everything and changes nothing: reports what a run would do. */
export class ImportCheck {
  private readonly totals: CheckTotals = {
    players: 0,
    banned: 0,
    withMailbox: 0,
    withRoles: 0,
    commonKeyed: 0,
    commonOther: {},
  };
  private readonly skipped = new Set<string>();
  private readonly common: Map<string, string>;

  constructor(
    private readonly context: ImportContext,
    private readonly lostBans: Reference[],
    key: string,
  ) {
    this.common = new Map(
      COMMON_PASSWORDS.flatMap((password): Array<[string, string]> => [
        ...Object.entries(legacyHashes(password, key))
          .map(([form, digest]): [string, string] => [digest, form])
          .toReversed(),
        [hash('md5', password + key), 'keyed'],
      ]),
    );
  }

  async run(): Promise<CheckTotals> {
    const { players, target } = this.context;
    const total = await players.count();
    const read = (label: string) => () => {
      const progress = new Progress(label, total);
      return readPending(this.context, (rows) => progress.advance(rows));
    };
    const { manager } = target.dataSource;
    const plan = await ImportPlan.make(this.context, manager, read('comparing'));
    for await (const chunk of read('deciding')()) for (const old of chunk) this.report(plan, old);
    const notes = [
      ...relatedNotes(await readRelatedRows(this.context, 'agent'), 'agent'),
      ...relatedNotes(await readRelatedRows(this.context, 'server'), 'server'),
      ...lostBanNotes(this.context, this.lostBans),
    ];
    const links = new LinkDecisions(this.context, (key) => this.skipped.has(key));
    for await (const batch of links.read()) notes.push(...batch.notes);
    for (const { key, name, ...note } of notes) reportFinding(this.context, { key, name }, note);
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
    const notes = old.isSkipped ? old.notes : plan.decide(old).notes;
    for (const note of notes) reportFinding(this.context, old, note);
  }
}
