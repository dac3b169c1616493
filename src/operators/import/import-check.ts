import { CollationKeys } from './collation-keys.js';
import { takesPrecedence, collisionReason } from './collision.js';
import { DuplicateFinder } from './duplicate-finder.js';
import { foldName } from './game-names.js';
import { decodeText } from './old-text.js';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import { NO_KEY } from './old-players.js';
import { Progress } from './progress.js';
import { formatKey } from './import-report.js';
import { type ImportContext, reportFinding } from './import-context.js';
import { type Reference, readReferences } from './related-tables.js';

const ROWS = 5000;

export interface CheckTotals {
  players: number;
  banned: number;
  withMailbox: number;
  withRoles: number;
}

/** Reads everything and changes nothing: what a run would meet, and what it would do about it. */
export class ImportCheck {
  private readonly totals: CheckTotals = { players: 0, banned: 0, withMailbox: 0, withRoles: 0 };
  private readonly names = new DuplicateFinder();
  private readonly mailboxes = new DuplicateFinder();

  private readonly keys: CollationKeys;

  constructor(
    private readonly context: ImportContext,
    private readonly lostBans: Reference[],
  ) {
    this.keys = new CollationKeys(context.target);
  }

  async run(): Promise<CheckTotals> {
    const total = await this.context.players.count();
    const first = new Progress('reading', total);
    for await (const chunk of this.chunks(first)) await this.inspect(chunk);
    first.end();
    if (this.names.hasAny || this.mailboxes.hasAny) await this.findCollisions(total);
    this.reportLostBans();
    await this.reportLostLinks();
    return this.totals;
  }

  private async *chunks(progress: Progress): AsyncGenerator<OldPlayer[]> {
    const { players, oldRowOptions: reading } = this.context;
    for (let reached = NO_KEY; ;) {
      const rows = await players.read(reached, undefined, ROWS);
      if (rows.length === 0) return;
      yield rows.map((row) => toOldPlayer(row, reading));
      progress.advance(rows.length);
      reached = rows.at(-1)!.key;
    }
  }

  private async inspect(chunk: OldPlayer[]): Promise<void> {
    const usable = chunk.filter(({ isSkipped: leftBehind }) => !leftBehind);
    const keys = await this.keys.keysFor(usable.map(({ account }) => account));
    for (const key of keys) this.names.add(key);
    for (const { email } of usable) if (email !== null) this.mailboxes.add(email);
    for (const old of chunk) this.reportIssues(old);
  }

  private reportIssues(old: OldPlayer): void {
    const { map, game } = this.context;
    this.totals.players++;
    if (old.banned) this.totals.banned++;
    if (old.email !== null) this.totals.withMailbox++;
    const rules = {
      hash: `on_bad_hash: ${map.on_bad_hash}`,
      bytes: `on_bad_bytes: ${map.on_bad_bytes}`,
      name: 'not moved',
      mailbox: 'no mailbox',
      time: 'the time of the move',
    };
    for (const { trouble, detail } of old.issues)
      reportFinding(this.context, old, { class: trouble, detail, rule: rules[trouble] });
    if (old.name !== old.account)
      reportFinding(this.context, old, {
        class: 'spaces at the end',
        detail: 'of the name',
        rule: 'found with and without them',
      });
    const spellings = game.spellingsOf(old.name);
    if (spellings.length > 0) this.totals.withRoles++;
    const own = game.spellingOf(old.name);
    if (own !== undefined && own !== old.account)
      reportFinding(this.context, old, {
        class: 'other spelling in the game',
        detail: own,
        rule: 'game_account is set to it',
      });
    if (own === undefined && spellings.length > 1)
      reportFinding(this.context, old, {
        class: 'several spellings in the game',
        detail: spellings.map(({ seen }) => seen).join(' | '),
        rule: 'none of them; set game_account by hand',
      });
  }

  /** The second reading: only those whose name or mailbox occurs twice. */
  private async findCollisions(total: number): Promise<void> {
    const progress = new Progress('comparing', total);
    const byName = new Map<string, OldPlayer[]>();
    const byMailbox = new Map<string, OldPlayer[]>();
    for await (const chunk of this.chunks(progress)) {
      const usable = chunk.filter(({ isSkipped: leftBehind }) => !leftBehind);
      const keys = await this.keys.keysFor(usable.map(({ account }) => account));
      usable.forEach((old, at) => {
        const key = keys[at] ?? '';
        if (this.names.has(key)) addToGroup(byName, key, old);
        if (old.email !== null && this.mailboxes.has(old.email))
          addToGroup(byMailbox, old.email, old);
      });
    }
    progress.end();
    const { on_name_collision, on_shared_email } = this.context.map;
    const keep = on_name_collision === 'suffix' ? 'keep_most_recent_login' : on_name_collision;
    for (const group of byName.values()) {
      const [keeper, ...others] = group.toSorted((a, b) => (takesPrecedence(a, b, keep) ? -1 : 1));
      for (const old of others)
        reportFinding(this.context, old, {
          class: `name: ${collisionReason(old.name, keeper!.name)}`,
          detail:
            old.name === keeper!.name
              ? `${formatKey(keeper!.key, this.context.players.numericKey)} keeps it, and the roles: in the game a name is one player`
              : `${keeper!.name} keeps it`,
          rule: `on_name_collision: ${on_name_collision}`,
        });
    }
    for (const [mailbox, group] of byMailbox) {
      const [keeper, ...others] = group.toSorted((a, b) =>
        takesPrecedence(a, b, on_shared_email) ? -1 : 1,
      );
      for (const old of others)
        reportFinding(this.context, old, {
          class: 'shared mailbox',
          detail: `${mailbox} stays with ${keeper!.name}`,
          rule: `on_shared_email: ${on_shared_email}`,
        });
    }
  }

  private reportLostBans(): void {
    for (const reference of this.lostBans)
      reportFinding(this.context, this.describeReference(reference), {
        class: 'ban lost',
        detail: 'no player has this name',
        rule: '–',
      });
  }

  private async reportLostLinks(): Promise<void> {
    const { old, players, map, tableOf } = this.context;
    const { links } = map;
    if (!links) return;
    const owners = new Map<string, string>();
    const columns = [links.player, links.connect_id];
    for await (const batch of readReferences(
      old,
      players,
      tableOf(links.table),
      columns,
      links.refers_to,
    ))
      for (const reference of batch) {
        const identity = reference.value?.toString('latin1') ?? '';
        const account = foldName(reference.player.toString('latin1'));
        const taken = owners.get(identity) ?? owners.get(`#${account}`);
        const why = !reference.key
          ? 'its player is not there'
          : taken !== undefined
            ? 'its identity or its account has another link'
            : undefined;
        if (why)
          reportFinding(this.context, this.describeReference(reference), {
            class: 'link lost',
            detail: `${identity}: ${why}`,
            rule: 'the first one stays',
          });
        else owners.set(identity, account).set(`#${account}`, identity);
      }
  }

  private describeReference({ player, key }: Reference): Pick<OldPlayer, 'key' | 'name'> {
    const name = decodeText(player, this.context.map.charset)?.text ?? player.toString('hex');
    return { key: key ?? NO_KEY, name };
  }
}

function addToGroup(groups: Map<string, OldPlayer[]>, key: string, old: OldPlayer): void {
  const group = groups.get(key);
  if (group) group.push(old);
  else groups.set(key, [old]);
}
