import { nextTick, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';

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
    if (from.matched.length > 0) location.assign(to.fullPath);
  });

  router.afterEach((to, from) => {
    const isFirstPage = from.matched.length === 0;
    if (!isFirstPage && to.path !== from.path) void nextTick(focusPage);
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
