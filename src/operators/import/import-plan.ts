import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import { CollationKeys } from './collation-keys.js';
import { takesPrecedence } from './collision.js';
import { DuplicateFinder } from './duplicate-finder.js';
import type { ImportContext } from './import-context.js';
import type { Note } from './import-report.js';
import { decideNames, type NameDecision } from './name-decisions.js';
import type { OldPlayer } from './old-player.js';
import { type PresentPlayer, TargetClaims } from './target-claims.js';

const MAX_NAME = 64;

/** What is written for an old player, and the findings about it. */
export interface Decision {
  /** Undefined: a new id. */
  id: number | undefined;
  account: string;
  /** The old name, by which the player is found although another has the account. */
  alias: string | null;
  email: string | null;
  gameAccount: string | null;
  /** By `on_name_collision`. */
  closed: boolean;
  notes: Note[];
}

/** Decides what happens to each old player. A check prints the decisions, a run carries them out. */
export class ImportPlan {
  private readonly byName = new Map<string, NameDecision>();
  private readonly withoutMailbox = new Map<string, Note>();
  private readonly names = new DuplicateFinder();
  private readonly mailboxes = new DuplicateFinder();
  private readonly keys: CollationKeys;

  private constructor(
    private readonly context: ImportContext,
    private readonly claims: TargetClaims,
    keys: CollationKeys,
  ) {
    this.keys = keys;
  }

  /** `read` is called twice, and returns the players who are not imported yet. */
  static async make(
    context: ImportContext,
    manager: EntityManager,
    read: () => AsyncIterable<OldPlayer[]> | Iterable<OldPlayer[]>,
  ): Promise<ImportPlan> {
    const keys = new CollationKeys(context.target);
    const plan = new ImportPlan(context, await TargetClaims.open(context, manager, keys), keys);
    for await (const chunk of read()) await plan.collect(chunk.filter((old) => !old.isSkipped));
    const [sameName, sameMailbox] = [
      new Map<string, OldPlayer[]>(),
      new Map<string, OldPlayer[]>(),
    ];
    for await (const chunk of read())
      await plan.group(
        chunk.filter((old) => !old.isSkipped),
        sameName,
        sameMailbox,
      );
    for (const [key, group] of sameName) {
      const present = plan.claims.accounts.get(key);
      for (const [old, decision] of decideNames(context, group, present, plan.claims.aliases))
        plan.byName.set(old.key, decision);
    }
    await plan.giveFreeNames([...sameName.values()].flat());
    for (const [key, group] of sameMailbox)
      plan.decideMailbox(group, plan.claims.mailboxes.get(key));
    return plan;
  }

  decide(old: OldPlayer): Decision {
    const { game } = this.context;
    const key = old.key;
    const named = this.byName.get(key);
    const mailbox = this.withoutMailbox.get(key);
    const notes = [...old.notes, ...(mailbox ? [mailbox] : [])];
    if (named?.note) notes.push(named.note(named.account));
    const spellings = game.spellingsOf(old.name);
    let gameAccount = named ? named.gameAccount : (game.spellingOf(old.name) ?? null);
    const owner = gameAccount === null ? undefined : this.claims.gameNames.get(gameAccount);
    if (owner) {
      notes.push({
        class: 'name in the game',
        detail: `${gameAccount} is ${owner.account}'s there`,
        rule: 'no roles; set game_account by hand',
      });
      gameAccount = null;
    } else if (gameAccount !== null && spellings.length > 0 && gameAccount !== old.account)
      notes.push({
        class: 'other spelling in the game',
        detail: gameAccount,
        rule: 'game_account is set to it',
      });
    if (game.spellingOf(old.name) === undefined && spellings.length > 1)
      notes.push({
        class: 'several spellings in the game',
        detail: spellings.map(({ seen }) => seen).join(' | '),
        rule: 'none of them; set game_account by hand',
      });
    const isIdTaken = old.id !== undefined && this.claims.ids.has(old.id);
    if (isIdTaken)
      notes.push({
        class: 'another id',
        detail: `${old.id} is taken here`,
        rule: 'gets a new one',
      });
    return {
      id: isIdTaken ? undefined : old.id,
      account: named?.account ?? old.account,
      alias: named?.alias ?? null,
      email: mailbox ? null : old.email,
      gameAccount,
      closed: named?.closed ?? false,
      notes,
    };
  }

  private async collect(players: OldPlayer[]): Promise<void> {
    await this.claims.load(players);
    for (const key of await this.nameKeys(players)) this.names.add(key);
    for (const key of await this.mailKeys(players)) if (key !== '') this.mailboxes.add(key);
  }

  /** Only players who want what another wants or has. */
  private async group(
    players: OldPlayer[],
    sameName: Map<string, OldPlayer[]>,
    sameMailbox: Map<string, OldPlayer[]>,
  ): Promise<void> {
    const [nameKeys, mailKeys] = [await this.nameKeys(players), await this.mailKeys(players)];
    const { accounts, mailboxes, aliases } = this.claims;
    for (const [at, old] of players.entries()) {
      const [name, mail] = [nameKeys[at]!, mailKeys[at]!];
      if (accounts.has(name) || aliases.has(old.account) || this.names.count(name) > 1)
        addToGroup(sameName, name, old);
      if (mail !== '' && (mailboxes.has(mail) || this.mailboxes.count(mail) > 1))
        addToGroup(sameMailbox, mail, old);
    }
  }

  private decideMailbox(group: OldPlayer[], present: PresentPlayer | undefined): void {
    const { on_shared_email: rule } = this.context.map;
    const order = group.toSorted((one, other) => (takesPrecedence(one, other, rule) ? -1 : 1));
    const keeper = present ? undefined : order[0];
    for (const old of order)
      if (old !== keeper)
        this.withoutMailbox.set(old.key, {
          class: 'shared mailbox',
          detail: `${old.email} stays with ${present?.account ?? keeper!.name}`,
          rule: `on_shared_email: ${rule}`,
        });
  }

  /** `bob~42`, or `bob~42~2` if that is taken. */
  private async giveFreeNames(group: OldPlayer[]): Promise<void> {
    let losers = group.filter(({ key }) => this.byName.get(key)!.note);
    const given = new Set<string>();
    for (let attempt = 1; losers.length > 0; attempt++) {
      const wanted = losers.map((old) => suffixedName(old, attempt));
      const keys = await this.keys.keysFor(wanted);
      const present = await this.claims.accountsTaken(wanted);
      const taken = new Set(await this.keys.keysFor(present.map(({ account }) => account)));
      losers = losers.filter((old, at) => {
        const key = keys[at]!;
        if (given.has(key) || taken.has(key) || this.names.count(key) > 0) return true;
        given.add(key);
        this.byName.get(old.key)!.account = wanted[at]!;
        return false;
      });
    }
  }

  private nameKeys(players: OldPlayer[]): Promise<string[]> {
    return this.keys.keysFor(players.map(({ account }) => account));
  }

  private mailKeys(players: OldPlayer[]): Promise<string[]> {
    return this.keys.keysFor(players.map(({ email }) => email ?? ''));
  }
}

function addToGroup(groups: Map<string, OldPlayer[]>, key: string, old: OldPlayer): void {
  const group = groups.get(key);
  if (group) group.push(old);
  else groups.set(key, [old]);
}

function suffixedName({ account, id, key }: OldPlayer, attempt: number): string {
  const tag = `~${id ?? crc32(key)}${attempt > 1 ? `~${attempt}` : ''}`;
  return (
    Array.from(account)
      .slice(0, MAX_NAME - tag.length)
      .join('') + tag
  );
}
