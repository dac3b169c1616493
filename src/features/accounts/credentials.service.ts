import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isSameAccount, trimAccountName } from '../../platform/auth/account-name.js';
import { type AdmissionColumns, banSql } from '../../platform/auth/ban.js';
import {
  BatchedLookup,
  Batcher,
  groupRowsBySelect,
  MAX_UNION_SELECTS,
} from '../../platform/database/batcher.js';
import { currentTime } from '../../platform/database/database-clock.js';
import { selectRows, sqlTime } from '../../platform/database/sql.js';
import { KNOWN_ADDRESS_MS, RECENTLY_SEEN_MS } from './login-addresses.service.js';

export interface StoredCredentials extends AdmissionColumns {
  id: number;
  account: string;
  password: string;
  email: string | null;
  ver: number;
  serverId: number | null;
  gameAccount: string | null;
  /** The value 1 means that a sign-in requires a second factor. */
  hasSecondFactor: number;
  /** The value is 1 until the imported player first signs in. */
  imported: number;
}

export interface LoginCredentials extends StoredCredentials {
  /** This is true if the account was logged in to from this address within the last 30 days. */
  known: boolean;
  /**
   * This is true if the account was logged in to from this address within the last day, so nothing needs to be stored.
   */
  fresh: boolean;
  /** This is true if no login to the account from this address is stored. */
  isNewAddress: boolean;
}

interface LoginRow extends StoredCredentials {
  /** This is null if no login from the address is stored. */
  known: unknown;
  fresh: unknown;
}

const COLUMNS = `p.id, p.account, p.password, p.email, p.ver, p.server_id AS serverId, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban, p.game_account AS gameAccount, p.has_second_factor AS hasSecondFactor, p.imported`;

const KNOWN_COLUMNS = 'a.seen_at > ? AS known, a.seen_at > ? AS fresh';
const KNOWN_ADDRESS = 'LEFT JOIN login_address a ON a.player_id = p.id AND a.address';

@Injectable()
export class CredentialsService {
  private readonly byAccount: PlayerLookup<StoredCredentials>;
  private readonly byAccountAndAddress: PlayerLookup<LoginRow>;
  private readonly byMailboxAndAddress: PlayerLookup<LoginRow>;
  private readonly byIdAndAddress: BatchedLookup<LoginRow>;

  constructor(dataSource: DataSource) {
    this.byAccount = new PlayerLookup(dataSource, 'account', false);
    this.byAccountAndAddress = new PlayerLookup(dataSource, 'account', true);
    this.byMailboxAndAddress = new PlayerLookup(dataSource, 'email', true);
    this.byIdAndAddress = new BatchedLookup(
      dataSource,
      `${COLUMNS}, ${KNOWN_COLUMNS}`,
      `FROM player p ${KNOWN_ADDRESS} = ? WHERE p.id = ?`,
    );
  }

  find(account: string): Promise<StoredCredentials | undefined> {
    return this.byAccount.find(trimAccountName(account));
  }

  /** Finds the account by its name or, if no player has that name, by its e-mail address. */
  async findForLogin(account: string, address: string): Promise<LoginCredentials | undefined> {
    // The query depends only on the input, so that its duration does not reveal whether the account exists.
    const [named, mailed] = await Promise.all([
      this.byAccountAndAddress.find(trimAccountName(account), address),
      account.includes('@') ? this.byMailboxAndAddress.find(account, address) : undefined,
    ]);
    const found = named ?? mailed;
    return found && withKnownAddress(found);
  }

  /** Finds an account by id, because a passkey sign-in names no account. */
  async findByIdForLogin(id: number, address: string): Promise<LoginCredentials | undefined> {
    const found = await this.byIdAndAddress.find(...knownTimes(), address, id);
    return found && withKnownAddress(found);
  }
}

function knownTimes(): string[] {
  const now = currentTime();
  return [sqlTime(now - KNOWN_ADDRESS_MS), sqlTime(now - RECENTLY_SEEN_MS)];
}

function withKnownAddress(row: LoginRow): LoginCredentials {
  // MySQL returns booleans as numbers, and the driver may return those as text.
  const [known, fresh] = [row.known, row.fresh].map((value) => Number(value) === 1);
  return { ...row, known: known!, fresh: fresh!, isNewAddress: row.known === null };
}

type FoundRow<Row> = Row & {
  place: unknown;
  /** A value other than null means that the key is a renamed player's old name. */
  aliasId: unknown;
};

/**
 * Finds players by the typed account name, including old names, or by the e-mail address. A statement always reads one
 * player per key, because a faster empty result would reveal which accounts exist. The inner SELECTs only find ids,
 * because the database plans each SELECT of a UNION anew.
 */
export class PlayerLookup<Row extends StoredCredentials> {
  private readonly batcher: Batcher<{ key: string; address: string }, Row | undefined>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly keyColumn: 'account' | 'email',
    private readonly withAddress: boolean,
  ) {
    this.batcher = new Batcher((requests) => this.findAll(requests), MAX_UNION_SELECTS);
  }

  find(key: string, address = ''): Promise<Row | undefined> {
    return this.batcher.submit({ key, address });
  }

  private async findAll(
    requests: Array<{ key: string; address: string }>,
  ): Promise<Array<Row | undefined>> {
    const keys = requests.flatMap(({ key }) => (this.keyColumn === 'account' ? [key, key] : [key]));
    const addresses = requests.map(({ address }) => address);
    const values = this.withAddress ? [...knownTimes(), ...keys, ...addresses] : keys;
    const rows = await this.read(requests.length, values);
    const sorted = groupRowsBySelect(rows, requests.length);
    return requests.map(({ key }, place) => {
      const [found] = sorted[place]!;
      // The key is compared again, because MySQL treats josé and jose as equal, and ignores spaces after a mailbox.
      const isSame =
        this.keyColumn === 'account'
          ? isSameAccount(found?.account, key)
          : found?.email?.toLowerCase() === key.toLowerCase();
      return found && (found.aliasId !== null || isSame) ? found : undefined;
    });
  }

  private read(count: number, values: string[]): Promise<Array<FoundRow<Row>>> {
    const places = Array.from({ length: count }, (_, place) => place);
    const ids = places.map((place) => this.idsAt(place)).join(' UNION ALL ');
    // Addresses in a column of `f` would have a different collation from the table's, so they could not be compared.
    const address = places.map((place) => `WHEN ${place} THEN ?`).join(' ');
    const sql = `SELECT f.place, f.aliasId, ${COLUMNS}${this.withAddress ? `, ${KNOWN_COLUMNS}` : ''}
      FROM (${ids}) f
      INNER JOIN player p ON p.id = COALESCE(f.aliasId, f.nextId, (SELECT MIN(id) FROM player))
      ${this.withAddress ? `${KNOWN_ADDRESS} = CASE f.place ${address} END` : ''}`;
    return selectRows(this.dataSource.manager, sql, values);
  }

  /** Selects the id of the player whose old name is the key, and the id of the first player at or after the key. */
  private idsAt(place: number): string {
    const column = this.keyColumn;
    const alias = '(SELECT a.player_id FROM player_alias a WHERE a.name = ?)';
    const next = `(SELECT n.id FROM player n WHERE n.${column} >= ? ORDER BY n.${column} LIMIT 1)`;
    return `SELECT ${place} AS place, ${column === 'account' ? alias : 'NULL'} AS aliasId, ${next} AS nextId`;
  }
}
