import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  ALIAS_OWNER_SQL,
  aliasKeys,
  isSameAccount,
  trimAccountName,
} from '../../platform/auth/account-name.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { RECENTLY_SEEN_MS, KNOWN_ADDRESS_MS } from './known-addresses.js';
import { NameLookup } from './name-lookup.js';

export interface StoredCredentials {
  id: number;
  account: string;
  password: string;
  email: string | null;
  ver: number;
  serverId: number | null;
  disabledAt: unknown;
  gameAccount: string | null;
}

export interface LoginCredentials extends StoredCredentials {
  /** The address logged this account in within the last 30 days. */
  known: boolean;
  /** It did so within the last day, so there is nothing new to store. */
  fresh: boolean;
  /** It never did, as far as we remember. */
  isNewAddress: boolean;
}

type LoginRow = LoginCredentials & {
  /** Set where the name is an old one of a player who was renamed. */
  aliasId: unknown;
};

const COLUMNS =
  'p.id, p.account, p.password, p.email, p.ver, p.server_id AS serverId, p.disabled_at AS disabledAt, p.game_account AS gameAccount';

const BY_NAME = `FROM (SELECT ${ALIAS_OWNER_SQL} AS aliasId, (SELECT n.id FROM player n WHERE n.account = ?) AS namedId) f
   INNER JOIN player p ON p.id = COALESCE(f.aliasId, f.namedId)`;
const BY_MAILBOX = 'FROM (SELECT NULL AS aliasId) f INNER JOIN player p ON p.email = ?';
const ADDRESS = 'LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ?';

/** Finds an account by name, for every login and every check. */
@Injectable()
export class CredentialsLookup {
  private readonly byAccount: NameLookup<StoredCredentials>;
  private readonly byAccountAndAddress: BatchedLookup<LoginRow>;
  private readonly byMailboxAndAddress: BatchedLookup<LoginRow>;

  constructor(dataSource: DataSource) {
    this.byAccount = new NameLookup(dataSource, COLUMNS);
    const columns = `${COLUMNS}, f.aliasId, a.seen_at > ? AS known, a.seen_at > ? AS fresh`;
    this.byAccountAndAddress = new BatchedLookup(dataSource, columns, `${BY_NAME} ${ADDRESS}`);
    this.byMailboxAndAddress = new BatchedLookup(dataSource, columns, `${BY_MAILBOX} ${ADDRESS}`);
  }

  find(account: string): Promise<StoredCredentials | undefined> {
    return this.byAccount.find(account);
  }

  /** By name or, where nobody has that name, by mailbox. */
  async findForLogin(account: string, address: string): Promise<LoginCredentials | undefined> {
    const now = Date.now();
    const times = [sqlTime(now - KNOWN_ADDRESS_MS), sqlTime(now - RECENTLY_SEEN_MS)];
    const name = [...aliasKeys(account), trimAccountName(account)];
    // What is asked depends on what was typed alone, and not on what there is: the time must tell nothing.
    const [named, mailed] = await Promise.all([
      this.byAccountAndAddress.find(...times, ...name, address),
      account.includes('@') ? this.byMailboxAndAddress.find(...times, account, address) : undefined,
    ]);
    const found = ifSameName(named, account) ?? ifSameMailbox(mailed, account);
    if (!found) return undefined;
    // MySQL returns booleans as numbers, and the driver those as text.
    const [known, fresh] = [isTrue(found.known), isTrue(found.fresh)];
    return { ...found, known, fresh, isNewAddress: found.known === null };
  }
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

function ifSameName(found: LoginRow | undefined, account: string): LoginRow | undefined {
  return found && (found.aliasId !== null || isSameAccount(found.account, account))
    ? found
    : undefined;
}
