import { ref } from 'vue';
import type { Router } from 'vue-router';
import { isAdmin, mayChat, session } from '../session/session';

export const isKeysShown = ref(false);

const PLACES: Record<string, { path: string; may?: () => boolean }> = {
  n: { path: '/' },
  p: { path: '/players' },
  w: { path: '/withdrawals' },
  s: { path: '/servers' },
  c: { path: '/chat', may: mayChat },
  a: { path: '/audit', may: isAdmin },
};

/** Handles the desk's keyboard shortcuts, except while the operator types or a dialog is open. */
export function listenToKeys(router: Router): void {
  let isGoing = false;
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !session.operator) return;
    if (isTyping(event) || document.querySelector('dialog[open]')) return;
    const place = isGoing ? PLACES[event.key] : undefined;
    isGoing = event.key === 'g' && !isGoing;
    if (place) {
      if (place.may?.() !== false) void router.push(place.path);
      event.preventDefault();
    } else if (event.key === '/') {
      const search = document.querySelector<HTMLInputElement>('#search');
      search?.focus();
      search?.select();
      event.preventDefault();
    } else if (event.key === 'j' || event.key === 'k') {
      moveBy(event.key === 'j' ? 1 : -1);
      event.preventDefault();
    } else if (event.key === '?') {
      isKeysShown.value = true;
    }
  });
}

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input[type=checkbox]')) return key === ' ';
  if (!target.matches('input, textarea, select')) return false;
  if (key === 'Escape') target.blur();
  return true;
}

/** Focuses the link or button of the next row, so that Enter opens it. */
function moveBy(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const wanted = here < 0 && step < 0 ? rows.length - 1 : here + step;
  const next = rows[Math.min(Math.max(wanted, 0), rows.length - 1)];
  const target = next?.querySelector<HTMLElement>('[data-open]') ?? next;
  target?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
