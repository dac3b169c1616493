import type { Zone } from '../api/contract';
import { clock } from '../i18n/durations';
import { useWords } from '../i18n/use-words';
import { zoneState } from './zone-state';

const DAY = 24 * 3600;

/** What a zone says of itself: its state, and for one that has yet to open, when. */
export function useZoneNote() {
  const { t, dateTime } = useWords();

  function opening({ open_at }: Zone, now: number): string {
    const seconds = Math.ceil((Date.parse(open_at!) - now) / 1000);
    return seconds < DAY
      ? t('home.opensIn', { time: clock(seconds) })
      : t('home.opensAt', { time: dateTime(open_at!) });
  }

  return {
    stateText: (zone: Zone, now: number) => t(`home.states.${zoneState(zone, now)}`),
    /** Short, for a tile. */
    shortNote: (zone: Zone, now: number) =>
      zoneState(zone, now) === 'upcoming'
        ? opening(zone, now)
        : t(`home.states.${zoneState(zone, now)}`),
    longNote: (zone: Zone, now: number) =>
      zoneState(zone, now) === 'upcoming'
        ? opening(zone, now)
        : t(`home.notes.${zoneState(zone, now)}`),
  };
}
