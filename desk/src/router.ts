import { followPages } from 'gatehouse-ui/follow-pages';
import { localPath } from 'gatehouse-ui/local-path';
import { watch } from 'vue';
import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type Router,
} from 'vue-router';
import type { SessionAnswer } from './api/answers';
import { get } from './api/client';
import { t } from './i18n/i18n';
import { isAdmin, mayChat, session } from './session/session';
import SigninPage from './pages/SigninPage.vue';

declare module 'vue-router' {
  interface RouteMeta {
    title:
      | 'now'
      | 'players'
      | 'request'
      | 'withdrawals'
      | 'servers'
      | 'guesses'
      | 'mails'
      | 'promoters'
      | 'refusals'
      | 'events'
      | 'chat'
      | 'audit'
      | 'account'
      | 'signin'
      | 'missing';
    open?: boolean;
    may?: () => boolean;
  }
}

const routes = [
  { path: '/sign-in', component: SigninPage, meta: { title: 'signin', open: true } },
  { path: '/', component: () => import('./pages/NowPage.vue'), meta: { title: 'now' } },
  {
    path: '/players',
    component: () => import('./pages/PlayersPage.vue'),
    meta: { title: 'players' },
  },
  {
    path: '/players/:id(\\d+)',
    component: () => import('./pages/PlayerPage.vue'),
    meta: { title: 'players' },
  },
  {
    path: '/requests/:id([A-Za-z0-9_-]+)',
    component: () => import('./pages/RequestPage.vue'),
    meta: { title: 'request' },
  },
  {
    path: '/withdrawals',
    component: () => import('./pages/WithdrawalsPage.vue'),
    meta: { title: 'withdrawals' },
  },
  {
    path: '/withdrawals/:id(\\d+)',
    component: () => import('./pages/WithdrawalPage.vue'),
    meta: { title: 'withdrawals' },
  },
  {
    path: '/servers',
    component: () => import('./pages/ServersPage.vue'),
    meta: { title: 'servers' },
  },
  {
    path: '/guesses',
    component: () => import('./pages/GuessesPage.vue'),
    meta: { title: 'guesses' },
  },
  {
    path: '/mails',
    component: () => import('./pages/MailsPage.vue'),
    meta: { title: 'mails' },
  },
  {
    path: '/promoters',
    component: () => import('./pages/PromotersPage.vue'),
    meta: { title: 'promoters' },
  },
  {
    path: '/refusals',
    component: () => import('./pages/RefusalsPage.vue'),
    meta: { title: 'refusals' },
  },
  {
    path: '/events',
    component: () => import('./pages/EventsPage.vue'),
    meta: { title: 'events' },
  },
  {
    path: '/chat',
    component: () => import('./pages/ChatPage.vue'),
    meta: { title: 'chat', may: mayChat },
  },
  {
    path: '/audit',
    component: () => import('./pages/AuditPage.vue'),
    meta: { title: 'audit', may: isAdmin },
  },
  {
    path: '/account',
    component: () => import('./pages/AccountPage.vue'),
    meta: { title: 'account' },
  },
  {
    path: '/:any(.*)*',
    component: () => import('./pages/MissingPage.vue'),
    meta: { title: 'missing' },
  },
] as const;

export function createDeskRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
    routes: [...routes],
  });

  let isAsked = false;
  router.beforeEach(async (to) => {
    // The browser may still have a session cookie.
    if (!session.operator && !isAsked) await restore();
    isAsked = true;
    if (!session.operator) return to.meta.open || signinFor(to);
    return to.meta.open ? localPath(to.query.return_to) : true;
  });

  // When the session ends, shows the sign-in page, and returns to the current page after the next
  // sign-in.
  watch(
    () => session.operator,
    (operator) => {
      const here = router.currentRoute.value;
      if (!operator && !here.meta.open) void router.replace(signinFor(here));
    },
  );

  followPages(router, ({ meta: { title } }) => title && `${t(`titles.${title}`)} · ${t('brand')}`);
  return router;
}

/** Restores the session, if there is one. If the desk does not respond, the next sign-in attempt shows the error. */
async function restore(): Promise<void> {
  await get<SessionAnswer>('/api/session').then(
    (answer) => session.begin(answer),
    () => undefined,
  );
}

function signinFor({ fullPath }: RouteLocationNormalized) {
  const wanted = session.ended === 'left' || fullPath === '/' ? {} : { return_to: fullPath };
  return { path: '/sign-in', query: wanted };
}
