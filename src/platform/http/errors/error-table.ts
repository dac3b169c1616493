/**
 * Lists every error of the API with its code (HTTP status × 100 + n) and its cause. `docs/reference.md` is generated
 * from this table.
 */
export const ERROR_TABLE = {
  invalid_request: [40000, 'the JSON is malformed, or a field is missing or malformed'],
  oauth_state_invalid: [
    40001,
    'the state of the forum callback is missing, belongs to another browser, was used or is older than 5 minutes',
  ],
  unauthorized: [40100, 'the JWT is missing, invalid, expired or revoked'],
  bad_credentials: [40101, 'the account is unknown or the password is wrong'],
  token_invalid: [40102, 'the account and the token given to `/api/check` do not match'],
  ticket_invalid: [40103, 'the forum bind ticket is missing, forged, used or expired'],
  session_ended: [
    40104,
    'the stay-signed-in cookie is missing, unknown, expired or was used before',
  ],
  sign_in_again: [
    40105,
    'there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals',
  ],
  second_factor_required: [
    40106,
    'the first step succeeded and the account has a second factor; continue at `POST /api/login/second` with `ticket` and a proof by one of `methods`',
  ],
  second_factor_invalid: [
    40107,
    'the code or assertion is wrong, used or expired, or the ticket is forged, used or expired',
  ],
  ip_denied: [40300, 'the address is on the deny list'],
  account_disabled: [
    40301,
    'operators disabled or banned the account; `ban` has the reason and the end of a ban',
  ],
  caller_not_allowed: [
    40302,
    'the address may not call this route, or the signature is wrong (game servers, metrics)',
  ],
  forum_denied: [40303, 'the player denied access at the forum'],
  forbidden: [
    40304,
    "desk only: the operator's role does not allow this, or the request came from another page",
  ],
  withdrawal_banned: [
    40305,
    'operators banned the account from withdrawing; `ban` has the reason and the end',
  ],
  not_found: [40400, 'the route does not exist'],
  server_not_found: [40401, 'the server does not exist or is closed'],
  role_not_found: [40402, 'the role does not exist on the server or belongs to another account'],
  link_not_found: [40403, 'no account is linked to this `connect_id`'],
  withdrawal_not_found: [40404, 'the account has no such withdrawal'],
  account_not_found: [40405, 'the account given to `/api/bind_account` does not exist'],
  session_not_found: [40406, 'the account has no such session'],
  method_not_allowed: [
    40500,
    'the path does not support this method; `Allow` lists the supported ones',
  ],
  account_taken: [40900, 'the account name is in use (case-insensitive)'],
  email_taken: [
    40901,
    'another account uses the e-mail address; returned only to a caller with access to the mailbox',
  ],
  server_unavailable: [40902, "the server's status does not allow this now"],
  withdrawal_open: [40903, 'the role has a withdrawal whose outcome is not settled'],
  connect_id_taken: [40904, 'this third-party identity is linked to another account'],
  account_linked: [40905, 'the account already has another identity of this provider'],
  idempotency_conflict: [40906, 'a request with this key is still in progress'],
  last_way_in: [40907, 'this identity is the only way to sign in to the account'],
  act_refused: [
    40908,
    'the state does not allow this action (desk, `account/name`); `message` says why',
  ],
  account_busy: [40909, 'the account cannot be closed while a withdrawal is open'],
  gone: [41000, 'the entry point is retired'],
  body_too_large: [41300, 'the body exceeds the limit of the route'],
  unsupported_media_type: [41500, 'the body is not `application/json` in UTF-8'],
  idempotency_key_reused: [42200, 'the key was used before with another body'],
  code_invalid: [
    42201,
    'the e-mailed code is wrong, has expired, was used, or was tried too often',
  ],
  insufficient_balance: [42202, 'the balance does not cover the amount'],
  amount_out_of_range: [
    42203,
    'the amount is outside the limits (min, max, per day); `details` says which',
  ],
  withdrawal_refused: [42204, 'the game server refused; nothing was deducted'],
  withdrawal_disabled: [42205, 'withdrawals are disabled in the settings'],
  withdrawal_paused: [
    42206,
    'the password was reset by mail, the mailbox changed or a second factor was removed within `withdraw.pause_hours`',
  ],
  closing_disabled: [
    42207,
    'players cannot close their accounts, because `account.close_days` is 0',
  ],
  challenge_required: [
    42208,
    'a solved challenge is needed and was missing, wrong, expired or used; solve a new one (`GET /api/challenge`)',
  ],
  password_weak: [
    42209,
    'the new password is common, is one repeated character, or contains the account or the mailbox; `details` says which',
  ],
  too_many_requests: [
    42900,
    'the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day',
  ],
  login_throttled: [42901, 'there were too many failed logins'],
  registration_cap_reached: [
    42902,
    '`day_max_reg` is reached; `retry_after` is the time until the next day',
  ],
  code_throttled: [
    42903,
    'a code was sent to this e-mail address less than 60 seconds ago, or a limit for codes is reached',
  ],
  internal_error: [50000, 'an unexpected error occurred'],
  forum_unavailable: [50200, 'the forum did not answer, or answered with an error'],
  game_server_unavailable: [
    50300,
    'the GM interface or the game database is unreachable; nothing was deducted',
  ],
  mail_unavailable: [50301, 'the mail server did not accept the message; no code was stored'],
  service_unavailable: [
    50302,
    'the account database or the agreement file is unavailable, or the service is shutting down or overloaded',
  ],
} as const satisfies Record<string, readonly [code: number, when: string]>;

export type ErrorName = keyof typeof ERROR_TABLE;

export function errorCode(error: ErrorName): number {
  return ERROR_TABLE[error][0];
}

export function errorStatus(error: ErrorName): number {
  return Math.floor(errorCode(error) / 100);
}
