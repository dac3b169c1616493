export interface ServerList {
  servers: ServerLine[];
}

export interface ServerLine {
  row: ServerRow;
  problem: string | null;
  seen: SeenServer | null;
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
export interface SeenServer extends Pick<
  ServerRow,
  'id' | 'name' | 'address' | 'port' | 'status' | 'open_at' | 'recommended'
> {
  group: string | null;
}

export interface ServerPreview {
  problem: string | null;
  seen: SeenServer | null;
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
