import type { ServerListItem } from '../api/answers';
import type { Tone } from '../now/tones';

export const SERVER_STATUSES = [
  'new',
  'normal',
  'busy',
  'full',
  'maintenance',
  'closed',
  'scheduled',
] as const;

const TONES: Record<string, Tone> = {
  new: 'good',
  normal: 'good',
  busy: 'good',
  full: 'info',
  maintenance: 'warn',
  closed: 'quiet',
  scheduled: 'info',
};

export function toneOfServer(status: string): Tone {
  return TONES[status] ?? 'quiet';
}

/** Finds servers by number or by part of the name or group. The server with exactly this number comes first. */
export function matching(
  servers: ServerListItem[],
  text: string,
  status: string,
): ServerListItem[] {
  const wanted = text.trim().toLowerCase();
  return servers
    .filter(({ row }) => status === '' || row.status === status)
    .filter(
      ({ row }) =>
        wanted === '' ||
        String(row.id) === wanted ||
        [row.name, row.zone_group ?? ''].some((name) => name.toLowerCase().includes(wanted)),
    )
    .toSorted(
      (one, other) =>
        Number(String(other.row.id) === wanted) - Number(String(one.row.id) === wanted),
    );
}
