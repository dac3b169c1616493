export interface AuditList {
  events: AuditLine[];
  next: number | null;
}

export interface AuditLine {
  id: number;
  at: string;
  by: string;
  act: string;
  subject: string;
  before: object | null;
  after: object | null;
  note: string | null;
}
