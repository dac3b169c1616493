import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { AuditListItem } from '../responses/audit.js';

export function toAuditView(event: AuditEvent): AuditListItem {
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
