import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isMeant, MEANT_PLAYER_SQL, nameParameters } from '../../platform/auth/account-name.js';
import { type AdmissionColumns, banSql } from '../../platform/auth/ban.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { RECENTLY_SEEN_MS, KNOWN_ADDRESS_MS } from './known-addresses.js';
import { NameLookup } from './name-lookup.js';

export interface StoredCredentials extends AdmissionColumns {
  id: number;
  account: string;
  password: string;
  email: string | null;
  ver: number;
  serverId: number | null;
  gameAccount: string | null;
  /** 1 where the password alone gives no token. */
  hasSecondFactor: number;
  /** 1 until an imported player first signs in. */
  imported: number;
}

export interface LoginCredentials extends StoredCredentials {
  /** The address logged this account in within the last 30 days. */
  known: boolean;
  /** It did so within the last day, so nothing needs to be stored. */
  fresh: boolean;
  /** As far as we know, it never did. */
  isNewAddress: boolean;
}

type LoginRow = LoginCredentials & {
  /** Set if the name is an old name of a renamed player. */
  aliasId: unknown;
};

const COLUMNS = `p.id, p.account, p.password, p.email, p.ver, p.server_id AS serverId, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban, p.game_account AS gameAccount, p.has_second_factor AS hasSecondFactor, p.imported`;

const BY_MAILBOX = 'FROM (SELECT NULL AS aliasId) f INNER JOIN player p ON p.email = ?';
const BY_ID = 'FROM (SELECT NULL AS aliasId) f INNER JOIN player p ON p.id = ?';
const ADDRESS = 'LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ?';

/** Finds an account by name, for every login and every check. */
@Injectable()
export class CredentialsLookup {
  private readonly byAccount: NameLookup<StoredCredentials>;
  private readonly byAccountAndAddress: BatchedLookup<LoginRow>;
  private readonly byMailboxAndAddress: BatchedLookup<LoginRow>;
  private readonly byIdAndAddress: BatchedLookup<LoginRow>;

  constructor(dataSource: DataSource) {
    this.byAccount = new NameLookup(dataSource, COLUMNS);
    const columns = `${COLUMNS}, f.aliasId, a.seen_at > ? AS known, a.seen_at > ? AS fresh`;
    this.byAccountAndAddress = new BatchedLookup(
      dataSource,
      columns,
      `${MEANT_PLAYER_SQL} ${ADDRESS}`,
    );
    this.byMailboxAndAddress = new BatchedLookup(dataSource, columns, `${BY_MAILBOX} ${ADDRESS}`);
    this.byIdAndAddress = new BatchedLookup(dataSource, columns, `${BY_ID} ${ADDRESS}`);
  }

  find(account: string): Promise<StoredCredentials | undefined> {
    return this.byAccount.find(account);
  }

  /** By name or, where nobody has that name, by mailbox. */
  async findForLogin(account: string, address: string): Promise<LoginCredentials | undefined> {
    const times = knownTimes();
    // The query depends only on what was typed, not on what exists, so that its duration reveals nothing.
    const [named, mailed] = await Promise.all([
      this.byAccountAndAddress.find(...times, ...nameParameters(account), address),
      account.includes('@') ? this.byMailboxAndAddress.find(...times, account, address) : undefined,
    ]);
    const found = named && isMeant(named, account) ? named : ifSameMailbox(mailed, account);
    return found && withKnownAddress(found);
  }

  /** For a sign-in by passkey, which names no account. */
  async findByIdForLogin(id: number, address: string): Promise<LoginCredentials | undefined> {
    const found = await this.byIdAndAddress.find(...knownTimes(), id, address);
    return found && withKnownAddress(found);
  }
}

function knownTimes(): string[] {
  const now = Date.now();
  return [sqlTime(now - KNOWN_ADDRESS_MS), sqlTime(now - RECENTLY_SEEN_MS)];
}

function withKnownAddress(row: LoginRow): LoginCredentials {
  // MySQL returns booleans as numbers, and the driver those as text.
  const [known, fresh] = [isTrue(row.known), isTrue(row.fresh)];
  return { ...row, known, fresh, isNewAddress: row.known === null };
}

function isTrue(value: unknown): boolean {
  return Number(value) === 1;
}

/** Compared again as in a reset: to MySQL josé@ equals jose@. */
function ifSameMailbox<T extends StoredCredentials>(
  found: T | undefined,
  email: string,
): T | undefined {
  return found?.email?.toLowerCase() === email.toLowerCase() ? found : undefined;
}
