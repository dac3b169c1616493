import type { Server } from '../api/contract';
import { clock } from '../i18n/durations';
import { useWords } from '../i18n/use-words';
import { serverState } from './server-state';

const DAY = 24 * 3600;

/** Returns functions that describe a server's state, or its opening time if it has not opened yet. */
export function useServerNote() {
  const { t, dateTime } = useWords();

  function opening({ open_at }: Server, now: number): string {
    const seconds = Math.ceil((Date.parse(open_at!) - now) / 1000);
    return seconds < DAY
      ? t('home.opensIn', { time: clock(seconds) })
      : t('home.opensAt', { time: dateTime(open_at!) });
  }

  return {
    stateText: (server: Server, now: number) => t(`home.states.${serverState(server, now)}`),
    /** Returns a short text for tiles. */
    shortNote: (server: Server, now: number) =>
      serverState(server, now) === 'upcoming'
        ? opening(server, now)
        : t(`home.states.${serverState(server, now)}`),
    longNote: (server: Server, now: number) =>
      serverState(server, now) === 'upcoming'
        ? opening(server, now)
        : t(`home.notes.${serverState(server, now)}`),
  };
}
