import type { EntityManager } from 'typeorm';
import type { CollationKeys } from './collation-keys.js';
import type { ImportContext } from '../target/import-context.js';
import type { OldPlayer } from '../read/old-player-row.js';

/** Describes a player who already exists here and keeps the name, e-mail address and id. */
export interface PresentPlayer {
  id: number;
  account: string;
  email: string | null;
  gameAccount: string | null;
  /** This is the checksum of the old name, or null if the player registered here. */
  nameSum: number | null;
}

/** Lists the classes of findings about players who lost their name to another player. */
export const COLLISIONS = ['renamed', 'renamed: must be told', 'closed'];
const COLUMNS = `p.id, p.account, p.email, p.game_account AS gameAccount,
  (SELECT m.name_sum FROM import_player m WHERE m.player_id = p.id) AS nameSum`;

/** Collects the names, e-mail addresses and ids that old players want but existing players already have. */
export class PresentPlayers {
  /** `accounts` and `mailboxes` use collation keys, so that texts that the database considers equal share a key. */
  readonly accounts = new Map<string, PresentPlayer>();
  readonly mailboxes = new Map<string, PresentPlayer>();
  readonly gameNames = new Map<string, PresentPlayer>();
  readonly ids = new Set<number>();
  /** Maps the key of an account name to the old names of renamed players that the database considers equal. */
  readonly renamed = new Map<string, string[]>();
  /** Holds the old names with which renamed players can still sign in. */
  readonly aliases = new Set<string>();

  private constructor(
    private readonly context: ImportContext,
    private readonly manager: EntityManager,
    private readonly keys: CollationKeys,
    private readonly isEmpty: boolean,
  ) {}

  static async open(context: ImportContext, manager: EntityManager, keys: CollationKeys) {
    const isEmpty =
      !(await context.target.isMigrated()) ||
      (await manager.query<unknown[]>('SELECT 1 AS one FROM player LIMIT 1')).length === 0;
    const present = new PresentPlayers(context, manager, keys, isEmpty);
    if (!isEmpty) await present.loadRenamed();
    return present;
  }

  async load(wanting: OldPlayer[]): Promise<void> {
    if (this.isEmpty) return;
    const { game } = this.context;
    const names = wanting.map(({ account }) => account);
    const accounts = await this.find('account', names);
    const accountKeys = await this.keys.keysFor(accounts.map(({ account }) => account));
    accounts.forEach((player, at) => this.accounts.set(accountKeys[at]!, player));
    const mailboxes = wanting.flatMap(({ email }) => email ?? []);
    const owners = await this.find('email', mailboxes);
    const mailKeys = await this.keys.keysFor(owners.map(({ email }) => email ?? ''));
    owners.forEach((player, at) => this.mailboxes.set(mailKeys[at]!, player));
    // After a collision, an imported player has the old name as `game_account` even if the game spells it differently.
    const spellings = wanting.flatMap(({ name, account }) => [
      name,
      account,
      game.spellingOf(name) ?? name,
      ...game.exactSpellingsOf(name),
    ]);
    for (const player of await this.find('game_account', [...new Set(spellings)]))
      this.gameNames.set(player.gameAccount ?? '', player);
    const ids = wanting.flatMap((player) => player.id ?? []);
    for (const { id } of await this.find('id', ids)) this.ids.add(id);
  }

  private async loadRenamed(): Promise<void> {
    const aliases = await this.manager.query<Array<{ name: string }>>(
      'SELECT name FROM player_alias',
    );
    for (const { name } of aliases) this.aliases.add(name);
    const rows = await this.manager.query<Array<{ name: string }>>(
      `SELECT RTRIM(account) AS name FROM import_finding
        WHERE class IN (${this.context.target.literals(COLLISIONS)})`,
    );
    const keys = await this.keys.keysFor(rows.map(({ name }) => name));
    for (const [at, { name }] of rows.entries())
      this.renamed.set(keys[at]!, (this.renamed.get(keys[at]!) ?? []).concat(name));
  }

  async find(column: string, values: Array<string | number>): Promise<PresentPlayer[]> {
    if (this.isEmpty || values.length === 0) return [];
    const list = this.context.target.literals(values);
    return this.manager.query(`SELECT ${COLUMNS} FROM player p WHERE p.${column} IN (${list})`);
  }
}
