import { nextTick, readonly, ref, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';

const RETRY_MS = 3000;
const wantedPath = ref<string | null>(null);

/** This page opens as soon as the site can be reached. */
export const awaitedPage = readonly(wantedPath);

/** Updates the document's title, the focus and the loaded release when the page changes. */
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

  // After a release, an old page may request a chunk that no longer exists. A full load gets the new release.
  router.onError((_error, to, from) => {
    if (from.matched.length > 0) void loadWhenOnline(to.fullPath);
  });

  router.afterEach((to, from) => {
    wantedPath.value = null;
    const isFirstPage = from.matched.length === 0;
    if (!isFirstPage && to.path !== from.path) void nextTick(focusPage);
  });
}

/** Without a connection, a full load would replace the page with the browser's own error. */
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

/** Moves the focus to the new page for screen readers, unless a field on the page already has the focus. */
function focusPage(): void {
  const main = document.querySelector<HTMLElement>('main');
  const { activeElement } = document;
  // The user may already be typing while the page loads, for example the next search.
  if (!main || main.contains(activeElement) || activeElement instanceof HTMLInputElement) return;
  main.focus({ preventScroll: true });
}
