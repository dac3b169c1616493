import type { DataSource } from 'typeorm';
import { AuditEvent } from '../../../platform/audit/audit.entity.js';
import { findIdsByName, isSameAccount } from '../../../platform/auth/account-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { formatMinute } from '../../../platform/config/time.js';
import { UNUSABLE_PASSWORD } from '../../../features/accounts/passwords.js';

const MD5 = /^[0-9a-f]{32}$/;
const MAX_RENAMES = 1000;
const MAX_NAMESAKES = 5;

export interface SignInFacts {
  /** These sentences for the terminal explain why the right password does not sign the player in. */
  obstacles: string[];
  /** This is false if no password can match the stored hash. */
  hasPassword: boolean;
  /** The player can also sign in with these names from before the import. */
  oldNames: string[];
  /** The import renamed these players because their name was the same as this player's. */
  namesakes: Array<{ account: string; name: string }>;
}

/** Finds what prevents a player from signing in, except locks after failed logins. */
export async function findSignInFacts(
  dataSource: DataSource,
  player: Player,
): Promise<SignInFacts> {
  const { id, account } = player;
  const [stored, [owner], aliases, namesakes] = await Promise.all([
    dataSource.manager.findOneOrFail(Player, {
      select: { id: true, password: true },
      where: { id },
    }),
    findIdsByName(dataSource.manager, account),
    dataSource.query<Array<{ name: string }>>(
      'SELECT name FROM player_alias WHERE player_id = ? ORDER BY name',
      [id],
    ),
    dataSource.query<Array<{ account: string; name: string }>>(
      `SELECT p.account, a.name FROM player p INNER JOIN player_alias a ON a.player_id = p.id
        WHERE p.account LIKE ? ESCAPE '!' ORDER BY p.account LIMIT ${MAX_NAMESAKES}`,
      [`${account.replace(/[!%_]/g, '!$&')}~%`],
    ),
  ]);
  const rename = player.disabledAt ? await findRename(dataSource, player) : undefined;
  const obstacles = [
    player.closedAt
      ? `it was closed on ${formatMinute(player.closedAt)} UTC, for good`
      : player.disabledAt && describeDisabling(player.disabledAt, rename),
    player.closedAt || rename ? undefined : describePassword(stored.password, player.email),
    owner !== undefined &&
      owner !== id &&
      `"${account}" is an old name of player ${owner} (player_alias), who is signed in instead: sign in with the mailbox`,
  ];
  return {
    obstacles: obstacles.filter((one) => typeof one === 'string'),
    hasPassword: MD5.test(stored.password),
    oldNames: aliases.map(({ name }) => name),
    namesakes,
  };
}

/** Finds the rename that created this unusable account. The event belongs to the renamed player. */
async function findRename(
  { manager }: DataSource,
  { account }: Player,
): Promise<AuditEvent | undefined> {
  const renames = await manager.find(AuditEvent, {
    where: { act: 'player.rename' },
    order: { createdAt: 'DESC' },
    take: MAX_RENAMES,
  });
  return renames.find(({ before }) =>
    isSameAccount((before as Record<string, string> | null)?.account, account),
  );
}

function describeDisabling(disabledAt: Date, rename: AuditEvent | undefined): string {
  const since = `it has been disabled since ${formatMinute(disabledAt)} UTC`;
  if (!rename)
    return `${since}; "What operators did" says who did it and why; gatehouse player enable ends it`;
  const { account: to } = rename.after as { account: string };
  return `${since}: ${rename.operator} renamed ${rename.subject}, who had this name, to ${to} (${rename.note}); the player signs in as ${to}`;
}

function describePassword(password: string, mailbox: string | null): string | undefined {
  if (MD5.test(password)) return undefined;
  const wayBack = `${mailbox === null ? '' : 'reset it through the mailbox, or '}gatehouse player set-password`;
  return password === UNUSABLE_PASSWORD
    ? `it has no password (it came from the forum, was secured, or was imported without a usable one): ${wayBack}`
    : `its stored password is not an md5 in lower-case hex, so none matches: ${wayBack}`;
}
