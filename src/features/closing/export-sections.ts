/** What a player gets in a file: one section per table, without secrets and without anything about others. */
export interface ExportSection {
  name: string;
  /** Columns of `t`, by their names in the file. */
  columns: Record<string, string>;
  /** The table `t`, with what is joined to it. */
  from: string;
  /** There may be many rows: they are read by `t.created_at` and `t.id`, some at a time. */
  isPaged?: boolean;
}

const same = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, `t.${name}`]));

export const PROFILE: ExportSection = {
  name: 'profile',
  columns: same(
    'account game_account email server_id ip device os browse agent_id created_at entered_at enter_count disabled_at closing_at',
  ),
  from: 'player t WHERE t.id = ?',
};

// Failed sign-ins and refused requests may be of strangers, who have addresses of their own.
const IF_OWN = (column: string) => `CASE WHEN t.outcome = 'ok' THEN t.${column} END`;

export const SECTIONS: ExportSection[] = [
  {
    name: 'old_names',
    columns: same('name'),
    from: 'player_alias t WHERE t.player_id = ?',
  },
  {
    name: 'links',
    columns: same('provider connect_id created_at'),
    from: 'player_connect_threeparty t WHERE t.player_id = ?',
  },
  {
    name: 'authenticator_app',
    columns: same('created_at confirmed_at'),
    from: 'player_totp t WHERE t.player_id = ?',
  },
  {
    name: 'passkeys',
    columns: same('name created_at used_at'),
    from: 'player_passkey t WHERE t.player_id = ?',
  },
  {
    name: 'sessions',
    columns: same('device os browse address created_at seen_at expires_at ended_at'),
    from: 'session t WHERE t.player_id = ?',
    isPaged: true,
  },
  {
    name: 'known_addresses',
    columns: same('address seen_at'),
    from: 'login_address t WHERE t.player_id = ?',
  },
  {
    name: 'sign_ins',
    columns: {
      ...same('created_at way outcome tries'),
      address: IF_OWN('address'),
      device: IF_OWN('device'),
    },
    from: 'login_event t WHERE t.player_id = ?',
    isPaged: true,
  },
  {
    name: 'refused_requests',
    columns: same('created_at method path error'),
    from: 'refused_request t WHERE t.player_id = ?',
    isPaged: true,
  },
  {
    name: 'mails',
    columns: same('created_at kind outcome mailbox'),
    from: 'mail_event t WHERE t.player_id = ?',
    isPaged: true,
  },
  {
    name: 'servers',
    columns: { ...same('server_id entered_at enter_count'), name: 's.name' },
    from: 'player_zone t LEFT JOIN server s ON s.id = t.server_id WHERE t.player_id = ?',
  },
  {
    name: 'bans',
    columns: same('scope reason created_at until lifted_at'),
    from: 'player_ban t WHERE t.player_id = ?',
  },
];

/** Apart, because each has its events. */
export const WITHDRAWALS: ExportSection = {
  name: 'withdrawals',
  columns: same(
    'server_id role_id role_name amount status reason balance_before order_no sent_at settled_at',
  ),
  from: 'withdraw t WHERE t.player_id = ?',
  isPaged: true,
};
/** Without the evidence: it may name operators. */
export const EVENTS = `SELECT withdraw_id, from_status, to_status, cause, created_at FROM withdraw_event
  WHERE withdraw_id IN (?) ORDER BY id`;
