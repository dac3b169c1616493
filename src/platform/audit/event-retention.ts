import type { Settings } from '../config/settings.js';

const DAY_MS = 86_400_000;

/** How long rows about players are kept, by the current settings; null: for ever. */
export function eventRetentionMs(settings: Settings): () => number | null {
  return () => {
    const { retention_days: days } = settings.current.login_events;
    return days === null ? null : days * DAY_MS;
  };
}
