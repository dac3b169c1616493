export interface ServerList {
  servers: ServerListItem[];
}

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
