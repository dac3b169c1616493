/** The `subject` of a player's rows in `audit_event`. */
export const playerAuditSubject = (id: number) => `player ${id}`;
