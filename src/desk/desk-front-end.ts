import type { FrontEnd } from '../web/front-end.middleware.js';

/** What operators see: the build of `desk/`. Its router knows which pages there are. */
export function deskFrontEnd(): FrontEnd {
  return {
    folder: new URL('../../desk/dist', import.meta.url),
    isPage: (path) => !/^\/api(\/|$)/i.test(path) && !/\.\w+$/.test(path),
  };
}
