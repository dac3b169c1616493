export interface ServerList {
  servers: ServerListItem[];
  /** Changes that wait for a second operator. */
  requests: ServerRequest[];
}

export interface ServerRequest {
  id: number;
  is_new: boolean;
  /** To be sent again by the second operator. */
  fields: Record<string, string | number | boolean | null>;
  by: string;
  note: string;
  at: Date;
}

export type ServerChangeResult = { row: ServerRow } | { row: null; waits_for_second: true };

export interface ServerListItem {
  row: ServerRow;
  problem: string | null;
  seen: PublicServer | null;
  work: { open: number; unknown: number; failed_last_hour: number };
}

export interface ServerRow {
  id: number;
  name: string;
  address: string;
  port: number;
  status: string;
  sort: number;
  open_at: string | null;
  merged_into: number | null;
  gm_address: string | null;
  gm_port: number;
  gm_path: string;
  db_host: string | null;
  db_port: number | null;
  zone_group: string | null;
  recommended: boolean;
}

/** As the players' list shows it. */
export interface PublicServer extends Pick<
  ServerRow,
  'id' | 'name' | 'address' | 'port' | 'status' | 'open_at' | 'recommended'
> {
  group: string | null;
}

export interface ServerPreviewResponse {
  problem: string | null;
  /** All that is wrong with single columns. */
  columns: { field: string; message: string }[];
  seen: PublicServer | null;
}

export interface ServerResult {
  id: number;
  done: boolean;
  problem: string | null;
}

export interface MergePreview {
  open: string[];
  problem: string | null;
}
