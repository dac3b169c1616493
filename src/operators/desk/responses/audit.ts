export interface AuditList {
  events: AuditListItem[];
  next: number | null;
}

export interface AuditListItem {
  id: number;
  at: string;
  by: string;
  act: string;
  subject: string;
  before: object | null;
  after: object | null;
  note: string | null;
}
