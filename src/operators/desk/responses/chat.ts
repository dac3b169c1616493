export interface ChatList {
  lines: ChatListItem[];
  next: number | null;
  /** A search covers a bounded number of lines: it reached back to this time, and there are more. */
  searched_to: Date | null;
}

export interface ChatListItem {
  id: number;
  at: Date;
  server_id: number;
  account: string | null;
  role_id: number | null;
  role: string | null;
  channel: string | null;
  text: string;
  reporter: string | null;
  reported_at: Date;
}
