import type { DataSource } from 'typeorm';
import type { Player } from '../../../platform/auth/player.entity.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { maskMailbox } from '../../../platform/audit/mask-mailbox.js';
import { CODE_VALID_SECONDS } from '../../../features/verify/code-rules.js';
import { toIsoTime } from '../../../platform/database/sql-time.js';

// The code is stored right after its mail was taken.
const [MAX_BEFORE_MS, MAX_AFTER_MS] = [10_000, 1000];

export interface LatestCode {
  at: Date;
  /** Its row of `mail_event`; undefined where the mailbox belonged to nobody yet, and until that row is written, half a second. */
  mailId: number | undefined;
  facts: { used_at: string | null; tries: number };
}

/** What became of the newest code of a player's mailbox, as long as its row is kept. The code itself is not selected. */
export async function findLatestCode(
  dataSource: DataSource,
  { id, email }: Player,
): Promise<LatestCode | undefined> {
  if (email === null) return undefined;
  const [row] = await dataSource.query<Array<Record<string, unknown>>>(
    'SELECT expires_at, used_at, tries, tries_of_others FROM verify WHERE email = ?',
    [email],
  );
  if (!row) return undefined;
  const at = Date.parse(toIsoTime(row.expires_at)!) - CODE_VALID_SECONDS * 1000;
  const [mail] = await dataSource.query<Array<{ id: unknown }>>(
    `SELECT id FROM mail_event WHERE player_id = ? AND kind = 'code' AND outcome = 'sent' AND mailbox = ?
       AND created_at BETWEEN ? AND ? ORDER BY created_at DESC, id DESC LIMIT 1`,
    [id, maskMailbox(email), sqlTime(at - MAX_BEFORE_MS), sqlTime(at + MAX_AFTER_MS)],
  );
  return {
    at: new Date(at),
    mailId: mail && Number(mail.id),
    facts: {
      used_at: toIsoTime(row.used_at),
      tries: Number(row.tries) + Number(row.tries_of_others),
    },
  };
}
