import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import { runStatement } from '../../platform/database/statement.js';
import { aliasFor, takesPrecedence, type KeepRule, collisionReason } from './collision.js';
import type { OldPlayer } from './old-player.js';
import { BAN_STATE, type PlayerDraft } from './player-draft.js';
import { findExistingPlayer, findOldPlayer } from './existing-player.js';
import { type ImportContext, reportFinding } from './import-context.js';
import { AlreadyImported } from './import-target.js';

const MAX_NAME = 64;

/** Decides who keeps a name or an id that two players want. */
export class CollisionResolver {
  constructor(private readonly context: ImportContext) {}

  async resolve(
    manager: EntityManager,
    draft: PlayerDraft,
  ): Promise<{ draft: PlayerDraft; alias?: string }> {
    const key = draft.old.key.toString('hex');
    const moved = await manager.query<unknown[]>(
      `SELECT 1 AS one FROM import_player WHERE old_key = x'${key}'`,
    );
    if (moved.length > 0) throw new AlreadyImported();
    const resolved = { ...draft };
    if (
      draft.id !== undefined &&
      (await findExistingPlayer(this.context, manager, 'id', draft.id))
    ) {
      resolved.id = undefined;
      reportFinding(this.context, draft.old, {
        class: 'another id',
        detail: `id ${draft.id} is taken here`,
        rule: 'gets a new one',
      });
    }
    const alias = await this.resolveName(manager, resolved);
    await this.resolveGameName(manager, resolved);
    return { draft: resolved, alias };
  }

  async addAlias(manager: EntityManager, name: string, playerId: number): Promise<void> {
    const { target } = this.context;
    await this.removeAlias(manager, name);
    const values = `${target.literal(name)}, ${playerId}`;
    await runStatement(
      manager,
      `INSERT INTO player_alias (name, player_id) VALUES (${values})`,
      [],
    );
  }

  /** Changes the draft, or renames the one who is there. Gives the draft's alias, if it is the one renamed. */
  private async resolveName(
    manager: EntityManager,
    draft: PlayerDraft,
  ): Promise<string | undefined> {
    const { map, game } = this.context;
    const present = await findExistingPlayer(this.context, manager, 'account', draft.account);
    if (!present) return undefined;
    const rule = map.on_name_collision === 'suffix' ? undefined : map.on_name_collision;
    const before = await findOldPlayer(this.context, manager, present.id);
    const { old } = draft;
    const ownName = (player: OldPlayer) => game.exactSpellingOf(player.name) ?? player.name;
    // Exactly the same name is one player to the game: its roles go with the one who keeps it.
    const same = before !== undefined && ownName(before) === ownName(old);
    draft.gameAccount = ownName(old);
    const why = collisionReason(old.name, before?.name ?? present.account);
    const roles = same ? ', and the roles in the game' : '';
    const wins = before && takesPrecedence(old, before, rule ?? 'keep_most_recent_login');
    if (before)
      await this.setGameAccount(manager, present.id, same && wins ? null : ownName(before));
    if (before && wins) {
      const name = await this.freeName(manager, before);
      await this.rename(manager, present.id, name, rule !== undefined);
      const alias = rule ? undefined : aliasFor(before.account, draft.account);
      if (alias) await this.addAlias(manager, alias, present.id);
      await this.removeAlias(manager, `=${draft.account}`);
      this.reportRenamed(before, name, alias, `${why}: ${old.name} keeps it${roles}`, rule);
      return undefined;
    }
    if (same) draft.gameAccount = null;
    draft.account = await this.freeName(manager, old);
    if (rule && before) draft.banned = draft.banned || BAN_STATE.byRule;
    const alias = rule ? undefined : aliasFor(old.account, present.account);
    const keeper = before?.name ?? present.account;
    this.reportRenamed(old, draft.account, alias, `${why}: ${keeper} keeps it${roles}`, rule);
    return alias;
  }

  /** A name in the game is one player's. */
  private async resolveGameName(manager: EntityManager, draft: PlayerDraft): Promise<void> {
    if (draft.gameAccount === null) return;
    const name = this.context.target.literal(draft.gameAccount);
    const [other] = await manager.query<Array<{ account: string }>>(
      `SELECT account FROM player WHERE game_account = ${name}`,
    );
    if (!other) return;
    reportFinding(this.context, draft.old, {
      class: 'name in the game',
      detail: `${draft.gameAccount} is ${other.account}'s there`,
      rule: 'no roles; set game_account by hand',
    });
    draft.gameAccount = null;
  }

  private reportRenamed(
    loser: OldPlayer,
    name: string,
    alias: string | undefined,
    why: string,
    rule: KeepRule | undefined,
  ): void {
    const way = rule
      ? 'closed'
      : alias
        ? 'still found by the old name'
        : 'must be told the new name';
    reportFinding(this.context, loser, {
      class: alias || rule ? 'renamed' : 'renamed, must be told',
      detail: `${why}; now ${name}, ${way}`,
      rule: `on_name_collision: ${this.context.map.on_name_collision}`,
    });
  }

  private async freeName(manager: EntityManager, { account, id, key }: OldPlayer): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const tag = `~${id ?? crc32(key)}${attempt > 1 ? `~${attempt}` : ''}`;
      const name =
        Array.from(account)
          .slice(0, MAX_NAME - tag.length)
          .join('') + tag;
      if (!(await findExistingPlayer(this.context, manager, 'account', name))) return name;
    }
  }

  private async rename(manager: EntityManager, id: number, name: string, close: boolean) {
    const { target } = this.context;
    const closed = close
      ? `, disabled_at = COALESCE(disabled_at, ${target.literal(new Date())})`
      : '';
    const set = `account = ${target.literal(name)}${closed}`;
    await runStatement(manager, `UPDATE player SET ${set} WHERE id = ${id}`, []);
    if (!close) return;
    const banned = `UPDATE import_player SET banned = ${BAN_STATE.byRule} WHERE player_id = ${id} AND banned = 0`;
    await runStatement(manager, banned, []);
  }

  private async setGameAccount(manager: EntityManager, id: number, name: string | null) {
    const set = `game_account = ${this.context.target.literal(name)}`;
    await runStatement(manager, `UPDATE player SET ${set} WHERE id = ${id}`, []);
  }

  private async removeAlias(manager: EntityManager, name: string): Promise<void> {
    const condition = `name = ${this.context.target.literal(name)}`;
    await runStatement(manager, `DELETE FROM player_alias WHERE ${condition}`, []);
  }
}
