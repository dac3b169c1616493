import { nextTick, watch } from 'vue';
import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type Router,
} from 'vue-router';
import { i18n } from './i18n/i18n';
import SigninPage from './pages/SigninPage.vue';
import { hasLanding } from './session/forum-landing';
import { localPath } from './session/local-path';
import { session } from './session/session';

declare module 'vue-router' {
  interface RouteMeta {
    title: 'home' | 'signin' | 'agree' | 'withdraw' | 'missing';
    guarded?: boolean;
  }
}

export function createSiteRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, _from, saved) => saved ?? (to.hash ? { el: to.hash } : { top: 0 }),
    routes: [
      {
        path: '/',
        component: () => import('./pages/HomePage.vue'),
        meta: { title: 'home', guarded: true },
      },
      { path: '/signin', component: SigninPage, meta: { title: 'signin' } },
      {
        path: '/agree',
        component: () => import('./pages/AgreePage.vue'),
        meta: { title: 'agree' },
      },
      {
        path: '/withdraw',
        component: () => import('./pages/WithdrawPage.vue'),
        meta: { title: 'withdraw', guarded: true },
      },
      {
        path: '/:any(.*)*',
        component: () => import('./pages/MissingPage.vue'),
        meta: { title: 'missing' },
      },
    ],
  });

  router.beforeEach((to) => {
    if (to.meta.guarded && !session.isAlive()) return signinFor(to);
    if (to.path === '/signin' && session.isAlive() && !hasLanding())
      return localPath(to.query.return_to);
    return true;
  });

  // A session that ends under a guarded page leads to the sign-in, and from there back.
  watch(
    () => session.token,
    (token) => {
      const here = router.currentRoute.value;
      if (!token && here.meta.guarded) void router.replace(signinFor(here));
    },
  );

  watch([router.currentRoute, i18n.global.locale], ([route]) => {
    const { t } = i18n.global;
    if (route.meta.title) document.title = `${t(`titles.${route.meta.title}`)} · ${t('brand')}`;
  });

  // After a new release the old page may ask for a part that is gone: the new page knows where it is.
  router.onError((_error, to, from) => {
    if (from.matched.length > 0) location.assign(to.fullPath);
  });

  router.afterEach((to, from) => {
    const isFirstPage = from.matched.length === 0;
    if (!isFirstPage && to.path !== from.path) void nextTick(leadToPage);
  });
  return router;
}

function signinFor({ fullPath }: RouteLocationNormalized) {
  return { path: '/signin', query: fullPath === '/' ? {} : { return_to: fullPath } };
}

/** A new page is read from its beginning, also by those who hear it. A field that asked for the focus keeps it. */
function leadToPage(): void {
  const main = document.querySelector<HTMLElement>('main');
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}
