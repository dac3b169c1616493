import { followPages } from 'gatehouse-ui/follow-pages';
import { localPath } from 'gatehouse-ui/local-path';
import { watch } from 'vue';
import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type Router,
} from 'vue-router';
import { t } from './i18n/i18n';
import SigninPage from './pages/SigninPage.vue';
import { hasLanding } from './session/forum-landing';
import { session } from './session/session';
import { restore } from './session/stay';

const PATIENCE_MS = 5000;

declare module 'vue-router' {
  interface RouteMeta {
    title: 'home' | 'signin' | 'agree' | 'withdraw' | 'account' | 'signIns' | 'missing';
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
        path: '/account',
        component: () => import('./pages/AccountPage.vue'),
        meta: { title: 'account', guarded: true },
      },
      {
        path: '/account/sign-ins',
        component: () => import('./pages/SignInsPage.vue'),
        meta: { title: 'signIns', guarded: true },
      },
      {
        path: '/:any(.*)*',
        component: () => import('./pages/MissingPage.vue'),
        meta: { title: 'missing' },
      },
    ],
  });

  /** A tab without a valid token first requests one, because the player may have chosen to stay signed in. */
  async function isSignedIn(): Promise<boolean> {
    if (session.isFresh()) return true;
    const restored = restore();
    const isLate = () => new Promise<undefined>((done) => setTimeout(done, PATIENCE_MS));
    const isIn = await Promise.race([restored, isLate()]);
    if (isIn === undefined) void restored.then((is) => is && leaveSignin());
    return isIn || session.isAlive();
  }

  function leaveSignin(): void {
    const { path, query } = router.currentRoute.value;
    if (path === '/signin') void router.replace(localPath(query.return_to));
  }

  router.beforeEach(async (to) => {
    if (to.meta.guarded) return (await isSignedIn()) || signinFor(to);
    const isUndo = to.hash.startsWith('#undo=');
    if (to.path === '/signin' && !hasLanding() && !isUndo && (await isSignedIn()))
      return localPath(to.query.return_to);
    if (to.path !== '/signin' && !session.isFresh()) void restore();
    return true;
  });

  // The session may end while the page is loading, for example because another request reports a ban.
  router.beforeResolve((to) => !to.meta.guarded || session.token !== null || signinFor(to));

  // When the session ends on a guarded page, shows the sign-in page, and returns after the next sign-in.
  watch(
    () => session.token,
    (token) => {
      const here = router.currentRoute.value;
      if (!token && here.meta.guarded) void router.replace(signinFor(here));
    },
  );

  followPages(router, ({ meta: { title } }) => title && `${t(`titles.${title}`)} · ${t('brand')}`);
  return router;
}

function signinFor({ fullPath }: RouteLocationNormalized) {
  return { path: '/signin', query: fullPath === '/' ? {} : { return_to: fullPath } };
}
