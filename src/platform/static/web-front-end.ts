import { join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { PROJECT_ROOT } from '../config/project-root.js';
import { injectAddresses } from './built-files.js';
import type { FrontEnd } from './front-end.middleware.js';

const PAGES = ['/', '/signin', '/agree', '/withdraw', '/account'];

/** What players see: the build of `web/`. */
export function webFrontEnd({ FRONTEND_URL, sandboxUrl }: Environment): FrontEnd {
  const address = FRONTEND_URL.replace(/\/+$/, '');
  return {
    folder: join(PROJECT_ROOT, 'web/dist'),
    isPage: (path) => PAGES.includes(path),
    transformPage: (page) => injectAddresses(page, address, sandboxUrl),
  };
}
