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

const section = (name: string, table: string, columns: string): ExportSection => ({
  name,
  columns: same(columns),
  from: `${table} t WHERE t.player_id = ?`,
});
const paged = (...of: Parameters<typeof section>) => ({ ...section(...of), isPaged: true });

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
  section('old_names', 'player_alias', 'name'),
  section('links', 'player_connect_threeparty', 'provider connect_id created_at'),
  section('authenticator_app', 'player_totp', 'created_at confirmed_at'),
  section('passkeys', 'player_passkey', 'name created_at used_at'),
  paged('sessions', 'session', 'device os browse address created_at seen_at expires_at ended_at'),
  section('known_addresses', 'login_address', 'address seen_at'),
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
  paged('refused_requests', 'refused_request', 'created_at method path error'),
  paged('mails', 'mail_event', 'created_at kind outcome mailbox'),
  {
    name: 'servers',
    columns: { ...same('server_id entered_at enter_count'), name: 's.name' },
    from: 'player_zone t LEFT JOIN server s ON s.id = t.server_id WHERE t.player_id = ?',
  },
  section('bans', 'player_ban', 'scope reason created_at until lifted_at'),
];

/** Apart, because each has its events. */
export const WITHDRAWALS = paged(
  'withdrawals',
  'withdraw',
  'server_id role_id role_name amount status reason balance_before order_no sent_at settled_at',
);
/** Without the evidence: it may name operators. */
export const EVENTS = `SELECT withdraw_id, from_status, to_status, cause, created_at FROM withdraw_event
  WHERE withdraw_id IN (?) ORDER BY id`;
