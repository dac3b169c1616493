export interface ZoneList {
  zones: ZoneLine[];
}

export interface ZoneLine {
  row: ZoneRow;
  problem: string | null;
  seen: SeenZone | null;
  work: { open: number; unknown: number; failed_last_hour: number };
}

export interface ZoneRow {
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
export interface SeenZone extends Pick<
  ZoneRow,
  'id' | 'name' | 'address' | 'port' | 'status' | 'open_at' | 'recommended'
> {
  group: string | null;
}

export interface ZonePreview {
  problem: string | null;
  seen: SeenZone | null;
}

export interface ZoneResult {
  id: number;
  done: boolean;
  problem: string | null;
}

export interface MergePreview {
  open: string[];
  problem: string | null;
}
