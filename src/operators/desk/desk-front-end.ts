import { join } from 'node:path';
import { PROJECT_ROOT } from '../../platform/config/project-root.js';
import type { FrontEnd } from '../../platform/static/front-end.middleware.js';

/** The desk's front end: the build of `desk/`. Its router knows the pages. */
export function deskFrontEnd(): FrontEnd {
  return {
    folder: join(PROJECT_ROOT, 'desk/dist'),
    isPage: (path) => !/^\/api(\/|$)/i.test(path) && !/\.\w+$/.test(path),
  };
}
