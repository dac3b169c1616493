import type { AuditEvent } from '../../journal/audit-event.entity.js';

export type AuditView = ReturnType<typeof toAuditView>;

export function toAuditView(event: AuditEvent) {
  return {
    id: Number(event.id),
    at: event.createdAt.toISOString(),
    by: event.operator,
    act: event.act,
    subject: event.subject,
    before: event.before,
    after: event.after,
    note: event.note,
  };
}
