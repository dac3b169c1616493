import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import { MAX_NAME } from '../../../platform/auth/account-name.js';
import { UNUSABLE_PASSWORD } from '../../../features/accounts/passwords.js';
import { CollationKeys, KeyCounter } from './collation-keys.js';
import { type Contender, decideNames, inPrecedence, type NameDecision } from './name-collisions.js';
import type { ImportContext } from '../target/import-context.js';
import { type Finding, findingOf, type OldPlayer, truncate } from '../read/old-player-row.js';
import { PresentPlayers } from './present-players.js';

export const NOT_MOVED = 'not moved';

export interface Decision extends Omit<NameDecision, 'finding'> {
  /** Without an id, the database assigns a new one. */
  id: number | undefined;
  email: string | null;
  findings: Finding[];
}

type Groups = Map<string, Contender[]>;

/** Decides whether a player stays behind. The returned finding then replaces the player's other findings. */
export function findObstacle({ map }: ImportContext, old: OldPlayer): Finding | undefined {
  const hasBadBytes = old.findings.some((each) => each.class === 'bytes');
  const isUnreadable = hasBadBytes && map.on_bad_bytes === 'leave_behind';
  const isLockedOut = old.password === UNUSABLE_PASSWORD && map.on_bad_hash === 'leave_behind';
  if (old.account !== '' && !isUnreadable && !isLockedOut) return undefined;
  const detail = old.findings.map((each) => `${each.class}: ${each.detail}`).join('; ');
  return findingOf(old, NOT_MOVED, detail, 'correct the old row');
}

/** Decides what happens to each old player. A check reports the decisions, and a run executes them. */
export class ImportPlan {
  private readonly byName = new Map<string, NameDecision>();
  /** Maps the key of each player who shares a mailbox to the name of the player who keeps it. */
  private readonly withoutMailbox = new Map<string, string>();
  private readonly sameName: Groups = new Map();
  private readonly sameMailbox: Groups = new Map();
  private readonly names = new KeyCounter();
  private readonly mailboxes = new KeyCounter();

  private constructor(
    private readonly context: ImportContext,
    private readonly present: PresentPlayers,
    private readonly keys: CollationKeys,
  ) {}

  /** Calls `read` twice to read the players who are not imported yet. */
  static async make(
    context: ImportContext,
    manager: EntityManager,
    read: () => AsyncIterable<OldPlayer[]> | Iterable<OldPlayer[]>,
  ): Promise<ImportPlan> {
    const keys = new CollationKeys(context.target);
    const present = await PresentPlayers.open(context, manager, keys);
    const plan = new ImportPlan(context, present, keys);
    const isMoved = (old: OldPlayer) => !findObstacle(context, old);
    for await (const chunk of read()) await plan.collect(chunk.filter(isMoved));
    for await (const chunk of read()) await plan.group(chunk.filter(isMoved));
    for (const [key, group] of plan.sameName)
      for (const [old, decision] of decideNames(context, group, present, key))
        plan.byName.set(old.key, decision);
    await plan.giveFreeNames([...plan.sameName.values()].flat());
    for (const [key, group] of plan.sameMailbox) {
      const here = present.mailboxes.get(key);
      const keeper = here ? undefined : inPrecedence(group, context.map.on_shared_email)[0];
      for (const old of group.filter((each) => each !== keeper))
        plan.withoutMailbox.set(old.key, here?.account ?? keeper!.name);
    }
    for (const groups of [plan.sameName, plan.sameMailbox]) groups.clear();
    return plan;
  }

  decide(old: OldPlayer): Decision {
    const { game, map } = this.context;
    const named = this.byName.get(old.key);
    const keeper = this.withoutMailbox.get(old.key);
    const findings = [...old.findings];
    const note = (kind: string, detail: string, rule: string) =>
      findings.push(findingOf(old, kind, detail, rule));
    if (keeper !== undefined) {
      const rule = `on_shared_email: ${map.on_shared_email}`;
      note('shared mailbox', `${old.email} stays with ${keeper}`, rule);
    }
    if (named?.finding) findings.push(named.finding(named.account));
    if (old.password === UNUSABLE_PASSWORD && (keeper !== undefined || old.email === null))
      note(
        'no way in',
        'no hash of a password, and no mailbox to reset it',
        'an operator must set a mailbox',
      );
    const spellings = game.spellingsOf(old.name);
    let gameAccount = named ? named.gameAccount : (game.spellingOf(old.name) ?? null);
    // Another player may own the roles under the old name or under any of the game's spellings of it.
    const wanted = [gameAccount ?? [], old.name, game.exactSpellingsOf(old.name)].flat();
    const owner = wanted.map((name) => this.present.gameNames.get(name)).find(Boolean);
    if (owner && gameAccount !== null) {
      const detail = `${owner.gameAccount} is ${owner.account}'s there`;
      note('name in the game', detail, 'no roles; set game_account by hand');
      gameAccount = null;
    } else if (gameAccount !== null && spellings.length > 0 && gameAccount !== old.account)
      note('other spelling in the game', gameAccount, 'game_account is set to it');
    if (game.spellingOf(old.name) === undefined && spellings.length > 1) {
      const detail = spellings.map(({ seen }) => seen).join(' | ');
      note('several spellings in the game', detail, 'none of them; set game_account by hand');
    }
    const isIdTaken = old.id !== undefined && this.present.ids.has(old.id);
    if (isIdTaken) note('another id', `${old.id} is taken here`, 'gets a new one');
    return {
      id: isIdTaken ? undefined : old.id,
      account: named?.account ?? old.account,
      alias: named?.alias ?? null,
      email: keeper === undefined ? old.email : null,
      gameAccount,
      closed: named?.closed ?? false,
      findings,
    };
  }

  private async collect(players: OldPlayer[]): Promise<void> {
    await this.present.load(players);
    const [nameKeys, mailKeys] = await this.keysOf(players);
    for (const key of nameKeys) this.names.add(key);
    for (const key of mailKeys) if (key !== '') this.mailboxes.add(key);
  }

  /** Groups only players whose name or e-mail address is also wanted or used by another player. */
  private async group(players: OldPlayer[]): Promise<void> {
    const [nameKeys, mailKeys] = await this.keysOf(players);
    const { accounts, mailboxes, renamed } = this.present;
    for (const [at, old] of players.entries()) {
      const [name, mail] = [nameKeys[at]!, mailKeys[at]!];
      if (accounts.has(name) || renamed.has(name) || this.names.count(name) > 1)
        addToGroup(this.sameName, name, old);
      if (mail !== '' && (mailboxes.has(mail) || this.mailboxes.count(mail) > 1))
        addToGroup(this.sameMailbox, mail, old);
    }
  }

  /** Gives players who lose their name a new one such as `bob~42`, or `bob~42~2` if that is taken. */
  private async giveFreeNames(group: Contender[]): Promise<void> {
    let losers = group.filter(({ key }) => this.byName.get(key)!.finding);
    const given = new Set<string>();
    for (let attempt = 1; losers.length > 0; attempt++) {
      const wanted = losers.map((old) => suffixedName(old, attempt));
      const keys = await this.keys.keysFor(wanted);
      const owners = await this.present.find('account', wanted);
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

  private async keysOf(players: OldPlayer[]): Promise<[names: string[], mailboxes: string[]]> {
    const names = await this.keys.keysFor(players.map(({ account }) => account));
    return [names, await this.keys.keysFor(players.map(({ email }) => email ?? ''))];
  }
}

function addToGroup(groups: Groups, key: string, old: OldPlayer): void {
  const { id, name, account, createdAt, lastLogin } = old;
  const lastSeen = (lastLogin ?? createdAt)?.getTime() ?? 0;
  const contender = { key: old.key, id, name, account, lastSeen };
  const group = groups.get(key);
  if (group) group.push(contender);
  else groups.set(key, [contender]);
}

function suffixedName({ account, id, key }: Contender, attempt: number): string {
  const tag = `~${id ?? crc32(key)}${attempt > 1 ? `~${attempt}` : ''}`;
  return truncate(account, MAX_NAME - tag.length) + tag;
}
