import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { AuditLine } from '../answers/audit.js';

export function toAuditView(event: AuditEvent): AuditLine {
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
