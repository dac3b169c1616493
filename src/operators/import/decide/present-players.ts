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
  /** Is the checksum of the old name, or null if the player registered here. */
  nameSum: number | null;
}

interface Named {
  name: string;
}

/** Lists the findings of players who lost their name to another player. */
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
  /** Holds those old names that still find their player. */
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
    if (this.isEmpty || wanting.length === 0) return;
    const { game } = this.context;
    const names = wanting.map(({ account }) => account);
    const accounts = await this.find('account', names);
    const accountKeys = await this.keys.keysFor(accounts.map(({ account }) => account));
    accounts.forEach((player, at) => this.accounts.set(accountKeys[at]!, player));
    const mailboxes = wanting.flatMap(({ email }) => email ?? []);
    const owners = await this.find('email', mailboxes);
    const mailKeys = await this.keys.keysFor(owners.map(({ email }) => email ?? ''));
    owners.forEach((player, at) => this.mailboxes.set(mailKeys[at]!, player));
    const spellings = wanting.map(({ name }) => game.spellingOf(name) ?? name);
    for (const player of await this.find('game_account', spellings))
      this.gameNames.set(player.gameAccount ?? '', player);
    const ids = wanting.flatMap((player) => player.id ?? []);
    for (const { id } of await this.find('id', ids)) this.ids.add(id);
  }

  private async loadRenamed(): Promise<void> {
    const aliases = await this.manager.query<Named[]>('SELECT name FROM player_alias');
    for (const { name } of aliases) this.aliases.add(name);
    const classes = COLLISIONS.map((kind) => `'${kind}'`).join(', ');
    const rows = await this.manager.query<Named[]>(
      `SELECT RTRIM(account) AS name FROM import_finding WHERE class IN (${classes})`,
    );
    const keys = await this.keys.keysFor(rows.map(({ name }) => name));
    for (const [at, { name }] of rows.entries())
      this.renamed.set(keys[at]!, [...(this.renamed.get(keys[at]!) ?? []), name]);
  }

  async findByAccount(names: string[]): Promise<PresentPlayer[]> {
    return this.isEmpty ? [] : this.find('account', names);
  }

  private find(column: string, values: Array<string | number>): Promise<PresentPlayer[]> {
    if (values.length === 0) return Promise.resolve([]);
    return this.manager.query(
      `SELECT ${COLUMNS} FROM player p WHERE p.${column} IN (${this.list(values)})`,
    );
  }

  private list(values: Array<string | number>): string {
    return values.map((value) => this.context.target.literal(value)).join(', ');
  }
}
