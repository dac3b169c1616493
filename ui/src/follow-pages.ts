import { nextTick, readonly, ref, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';

const RETRY_MS = 3000;
const wantedPath = ref<string | null>(null);

/** The page that opens as soon as the site can be reached, if there is one. */
export const awaitedPage = readonly(wantedPath);

/** Keeps the document's title, the focus and the loaded release in step with the page that is shown. */
export function followPages(
  router: Router,
  titleOf: (page: RouteLocationNormalizedLoaded) => string | undefined,
): void {
  watch(
    () => titleOf(router.currentRoute.value),
    (title) => {
      if (title) document.title = title;
    },
  );

  // After a release, an old page may request a chunk that no longer exists. A full load gets the new one.
  router.onError((_error, to, from) => {
    if (from.matched.length > 0) void loadWhenOnline(to.fullPath);
  });

  router.afterEach((to, from) => {
    wantedPath.value = null;
    const isFirstPage = from.matched.length === 0;
    if (!isFirstPage && to.path !== from.path) void nextTick(focusPage);
  });
}

/** A full load without a connection would replace the page by the browser's own error. */
async function loadWhenOnline(path: string): Promise<void> {
  wantedPath.value = path;
  while (wantedPath.value === path && !(await isSiteReachable())) await onlineOrSoon();
  if (wantedPath.value === path) location.assign(path);
}

function isSiteReachable(): Promise<boolean> {
  return fetch('/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function onlineOrSoon(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
    setTimeout(resolve, RETRY_MS);
  });
}

/** Moves the focus to the new page for screen readers, unless a field on it already has the focus. */
function focusPage(): void {
  const main = document.querySelector<HTMLElement>('main');
  const { activeElement } = document;
  // The person may already be typing, for example the next search, while the page loads.
  if (!main || main.contains(activeElement) || activeElement instanceof HTMLInputElement) return;
  main.focus({ preventScroll: true });
}
