/** What a ban forbids: everything, or only withdrawals. */
export const BAN_SCOPES = ['all', 'withdraw'] as const;
export type BanScope = (typeof BAN_SCOPES)[number];
