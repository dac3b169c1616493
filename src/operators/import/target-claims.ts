import type { EntityManager } from 'typeorm';
import type { CollationKeys } from './collation-keys.js';
import type { ImportContext } from './import-context.js';
import type { OldPlayer } from './old-player.js';

/** Somebody who is already here, and keeps name, mailbox and id. */
export interface PresentPlayer {
  id: number;
  account: string;
  email: string | null;
  gameAccount: string | null;
  wasImported: number | string;
}

const COLUMNS = `p.id, p.account, p.email, p.game_account AS gameAccount,
  EXISTS (SELECT 1 FROM import_player m WHERE m.player_id = p.id) AS wasImported`;

/** Names, mailboxes and ids that old players want and existing players have. */
export class TargetClaims {
  /** Keyed by collation key: names that the database treats as equal share one. */
  readonly accounts = new Map<string, PresentPlayer>();
  readonly mailboxes = new Map<string, PresentPlayer>();
  readonly gameNames = new Map<string, PresentPlayer>();
  readonly ids = new Set<number>();
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
    return new TargetClaims(context, manager, keys, isEmpty);
  }

  async load(wanting: OldPlayer[]): Promise<void> {
    if (this.isEmpty || wanting.length === 0) return;
    const { game } = this.context;
    const accounts = await this.find(
      'account',
      wanting.map(({ account }) => account),
    );
    const accountKeys = await this.keys.keysFor(accounts.map(({ account }) => account));
    accounts.forEach((player, at) => this.accounts.set(accountKeys[at]!, player));
    const owners = await this.find(
      'email',
      wanting.flatMap(({ email }) => email ?? []),
    );
    const mailKeys = await this.keys.keysFor(owners.map(({ email }) => email ?? ''));
    owners.forEach((player, at) => this.mailboxes.set(mailKeys[at]!, player));
    const spellings = wanting.map(({ name }) => game.spellingOf(name) ?? name);
    for (const player of await this.find('game_account', spellings))
      this.gameNames.set(player.gameAccount ?? '', player);
    for (const { id } of await this.find(
      'id',
      wanting.flatMap((player) => player.id ?? []),
    ))
      this.ids.add(id);
    const names = this.list(wanting.map(({ account }) => account));
    const aliases = await this.manager.query<Array<{ name: string }>>(
      `SELECT name FROM player_alias WHERE name IN (${names})`,
    );
    for (const { name } of aliases) this.aliases.add(name);
  }

  /** Those of the names that are taken. */
  async accountsTaken(names: string[]): Promise<PresentPlayer[]> {
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
