import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ALIASED, aliasKeys, isSameAccount, typedName } from '../auth/account-name.js';
import { Lookup } from '../database/lookup.js';
import { sqlTime } from '../database/sql-time.js';
import { FRESH_MS, KNOWN_MS } from './known-addresses.js';
import { NameLookup } from './name-lookup.js';

export interface Credentials {
  id: number;
  account: string;
  password: string;
  email: string | null;
  ver: number;
  serverId: number | null;
  disabledAt: unknown;
  gameAccount: string | null;
}

export interface LoginCredentials extends Credentials {
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

const BY_NAME = `FROM (SELECT ${ALIASED} AS aliasId, (SELECT n.id FROM player n WHERE n.account = ?) AS namedId) f
   INNER JOIN player p ON p.id = COALESCE(f.aliasId, f.namedId)`;
const BY_MAILBOX = 'FROM (SELECT NULL AS aliasId) f INNER JOIN player p ON p.email = ?';
const ADDRESS = 'LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ?';

/** Finds an account by name, for every login and every check. */
@Injectable()
export class CredentialsLookup {
  private readonly byAccount: NameLookup<Credentials>;
  private readonly byAccountAndAddress: Lookup<LoginRow>;
  private readonly byMailboxAndAddress: Lookup<LoginRow>;

  constructor(dataSource: DataSource) {
    this.byAccount = new NameLookup(dataSource, COLUMNS);
    const columns = `${COLUMNS}, f.aliasId, a.seen_at > ? AS known, a.seen_at > ? AS fresh`;
    this.byAccountAndAddress = new Lookup(dataSource, columns, `${BY_NAME} ${ADDRESS}`);
    this.byMailboxAndAddress = new Lookup(dataSource, columns, `${BY_MAILBOX} ${ADDRESS}`);
  }

  find(account: string): Promise<Credentials | undefined> {
    return this.byAccount.find(account);
  }

  /** By name or, where nobody has that name, by mailbox. */
  async findForLogin(account: string, address: string): Promise<LoginCredentials | undefined> {
    const now = Date.now();
    const times = [sqlTime(now - KNOWN_MS), sqlTime(now - FRESH_MS)];
    const name = [...aliasKeys(account), typedName(account)];
    // What is asked depends on what was typed alone, and not on what there is: the time must tell nothing.
    const [named, mailed] = await Promise.all([
      this.byAccountAndAddress.find(...times, ...name, address),
      account.includes('@') ? this.byMailboxAndAddress.find(...times, account, address) : undefined,
    ]);
    const found = sameName(named, account) ?? sameMailbox(mailed, account);
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
function sameMailbox<T extends Credentials>(found: T | undefined, email: string): T | undefined {
  return found?.email?.toLowerCase() === email.toLowerCase() ? found : undefined;
}

function sameName(found: LoginRow | undefined, account: string): LoginRow | undefined {
  return found && (found.aliasId !== null || isSameAccount(found.account, account))
    ? found
    : undefined;
}
