/** Every error of the API: code (HTTP status × 100 + n) and when it occurs. A test keeps `docs/errors.md` equal to it. */
export const ERROR_TABLE = {
  invalid_request: [40000, 'malformed JSON, missing or ill-formed field'],
  oauth_state_invalid: [
    40001,
    'forum callback whose state is missing, foreign, used or older than 5 minutes',
  ],
  unauthorized: [40100, 'missing, invalid, expired or revoked JWT on a protected route'],
  bad_credentials: [40101, 'unknown account or wrong password'],
  token_invalid: [40102, '`/api/check` refused the pair'],
  ticket_invalid: [40103, 'forum bind ticket missing, forged, used or expired'],
  session_ended: [40104, 'the stay-signed-in cookie is missing, unknown, ended or was used before'],
  sign_in_again: [40105, 'this change needs a sign-in, or a password, of the last 10 minutes'],
  ip_denied: [40300, 'address on the deny list'],
  account_disabled: [40301, 'the account was disabled by operations'],
  caller_not_allowed: [
    40302,
    'a game-server callback or the metrics, from an address or with a signature that is not allowed',
  ],
  forum_denied: [40303, 'the person said no at the forum'],
  forbidden: [
    40304,
    "the desk: the operator's role does not allow this, or the request did not come from its own page",
  ],
  not_found: [40400, 'no such route'],
  server_not_found: [40401, 'no such zone, or a closed one'],
  role_not_found: [40402, 'the role does not exist in the zone or belongs to another account'],
  link_not_found: [40403, 'no local account for that `connect_id`'],
  withdrawal_not_found: [40404, 'no such withdrawal of this account'],
  account_not_found: [40405, 'bind_account names no account'],
  session_not_found: [40406, 'no such session of this account'],
  method_not_allowed: [40500, 'known path, other method; `Allow` names the right ones'],
  account_taken: [40900, 'account name in use, compared without regard to case'],
  email_taken: [
    40901,
    'another account uses the e-mail; told only to someone who proved the mailbox',
  ],
  server_unavailable: [40902, "the zone's status does not allow this now"],
  withdrawal_open: [40903, 'the role has a withdrawal whose outcome is not settled'],
  connect_id_taken: [40904, 'that third-party identity is linked to another account'],
  account_linked: [40905, 'that account already has another identity of this provider'],
  idempotency_conflict: [40906, 'a request with this key is still being worked on'],
  last_way_in: [40907, 'without that identity nobody could sign in to the account any more'],
  act_refused: [40908, 'the desk: an act that cannot be done now; `message` says why'],
  gone: [41000, 'a retired entry point'],
  body_too_large: [41300, 'the body is larger than the route takes'],
  unsupported_media_type: [41500, 'the body is not `application/json` in UTF-8'],
  idempotency_key_reused: [42200, 'same key, other body'],
  code_invalid: [42201, 'e-mail code wrong, expired, used, or tried too often'],
  insufficient_balance: [42202, 'the balance does not cover the amount'],
  amount_out_of_range: [
    42203,
    'outside the withdrawal settings (min, max, daily limit); `details` says which',
  ],
  withdrawal_refused: [42204, 'the game server refused explicitly; nothing was deducted'],
  withdrawal_disabled: [42205, 'withdrawals are switched off in the settings'],
  too_many_requests: [
    42900,
    'general rate limit, or too many registrations from an address (`registration.per_address_day`)',
  ],
  login_throttled: [42901, 'too many failed logins'],
  registration_cap_reached: [
    42902,
    '`day_max_reg` is reached; `retry_after` is the time to the next day',
  ],
  code_throttled: [
    42903,
    'a code was sent to this e-mail less than 60 seconds ago, or a send limit is reached',
  ],
  internal_error: [50000, 'an unexpected error'],
  forum_unavailable: [50200, 'the forum did not answer properly'],
  game_server_unavailable: [
    50300,
    'GM interface or zone database cannot be reached; nothing was deducted',
  ],
  mail_unavailable: [50301, 'the mail server did not take the message; no code is left behind'],
  service_unavailable: [
    50302,
    'account database or agreement file unreachable, shutting down, or turned away under overload',
  ],
} as const satisfies Record<string, readonly [code: number, when: string]>;

export type ErrorName = keyof typeof ERROR_TABLE;

export function codeOf(error: ErrorName): number {
  return ERROR_TABLE[error][0];
}

export function statusOf(error: ErrorName): number {
  return Math.floor(codeOf(error) / 100);
}
