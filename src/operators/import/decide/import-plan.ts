import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import { CollationKeys, KeyCounter } from './collation-keys.js';
import { takesPrecedence, decideNames, type NameDecision } from './name-collisions.js';
import type { ImportContext } from '../target/import-context.js';
import { NO_PASSWORD, type Note, type OldPlayer } from '../read/old-player-row.js';
import { type PresentPlayer, PresentPlayers } from './present-players.js';

const MAX_NAME = 64;

export interface Decision extends Omit<NameDecision, 'note'> {
  /** Without an id, the database assigns a new one. */
  id: number | undefined;
  email: string | null;
  notes: Note[];
}

type Groups = Map<string, OldPlayer[]>;

/** Decides what happens to each old player. A check reports the decisions, and a run executes them. */
export class ImportPlan {
  private readonly byName = new Map<string, NameDecision>();
  private readonly withoutMailbox = new Map<string, Note>();
  private readonly names = new KeyCounter();
  private readonly mailboxes = new KeyCounter();

  private constructor(
    private readonly context: ImportContext,
    private readonly present: PresentPlayers,
    private readonly keys: CollationKeys,
  ) {}

  /** Makes a plan. Calls `read` twice to read the players who are not imported yet. */
  static async make(
    context: ImportContext,
    manager: EntityManager,
    read: () => AsyncIterable<OldPlayer[]> | Iterable<OldPlayer[]>,
  ): Promise<ImportPlan> {
    const keys = new CollationKeys(context.target);
    const present = await PresentPlayers.open(context, manager, keys);
    const plan = new ImportPlan(context, present, keys);
    for await (const chunk of read()) await plan.collect(chunk.filter((old) => !old.isSkipped));
    const sameName: Groups = new Map();
    const sameMailbox: Groups = new Map();
    for await (const chunk of read()) {
      const players = chunk.filter((old) => !old.isSkipped);
      await plan.group(players, sameName, sameMailbox);
    }
    for (const [key, group] of sameName) {
      const here = {
        owner: present.accounts.get(key),
        aliases: present.aliases,
        renamed: present.renamed.get(key) ?? [],
        gameNames: present.gameNames,
      };
      for (const [old, decision] of decideNames(context, group, here))
        plan.byName.set(old.key, decision);
    }
    await plan.giveFreeNames([...sameName.values()].flat());
    for (const [key, group] of sameMailbox) plan.decideMailbox(group, present.mailboxes.get(key));
    return plan;
  }

  decide(old: OldPlayer): Decision {
    const { game } = this.context;
    const named = this.byName.get(old.key);
    const mailbox = this.withoutMailbox.get(old.key);
    const notes = [...old.notes, ...(mailbox ? [mailbox] : [])];
    if (named?.note) notes.push(named.note(named.account));
    if (old.password === NO_PASSWORD && (mailbox || old.email === null))
      notes.push({
        class: 'no way in',
        detail: 'no hash of a password, and no mailbox to reset it',
        rule: 'an operator must set a mailbox',
      });
    const spellings = game.spellingsOf(old.name);
    let gameAccount = named ? named.gameAccount : (game.spellingOf(old.name) ?? null);
    const owner = gameAccount === null ? undefined : this.present.gameNames.get(gameAccount);
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
    const isIdTaken = old.id !== undefined && this.present.ids.has(old.id);
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
    await this.present.load(players);
    for (const key of await this.nameKeys(players)) this.names.add(key);
    for (const key of await this.mailKeys(players)) if (key !== '') this.mailboxes.add(key);
  }

  /** Groups only players whose name or e-mail address is also wanted or used by another player. */
  private async group(players: OldPlayer[], sameName: Groups, sameMailbox: Groups): Promise<void> {
    const [nameKeys, mailKeys] = [await this.nameKeys(players), await this.mailKeys(players)];
    const { accounts, mailboxes, renamed } = this.present;
    for (const [at, old] of players.entries()) {
      const [name, mail] = [nameKeys[at]!, mailKeys[at]!];
      if (accounts.has(name) || renamed.has(name) || this.names.count(name) > 1)
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

  /** Gives players who lose their name a new one such as `bob~42`, or `bob~42~2` if that is taken. */
  private async giveFreeNames(group: OldPlayer[]): Promise<void> {
    let losers = group.filter(({ key }) => this.byName.get(key)!.note);
    const given = new Set<string>();
    for (let attempt = 1; losers.length > 0; attempt++) {
      const wanted = losers.map((old) => suffixedName(old, attempt));
      const keys = await this.keys.keysFor(wanted);
      const owners = await this.present.findByAccount(wanted);
      const taken = new Set(await this.keys.keysFor(owners.map(({ account }) => account)));
      losers = losers.filter((old, at) => {
        const key = keys[at]!;
        const isInGame = this.context.game.spellingsOf(wanted[at]!).length > 0;
        if (isInGame || given.has(key) || taken.has(key) || this.names.count(key) > 0) return true;
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

function addToGroup(groups: Groups, key: string, old: OldPlayer): void {
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
