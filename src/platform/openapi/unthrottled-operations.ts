import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
// The package's index does not export it.
import { THROTTLER_SKIP } from '@nestjs/throttler/dist/throttler.constants.js';
import { controllerHandlers } from '../http/server/controller-handlers.js';

const SKIP = `${THROTTLER_SKIP}default`;

/** The operation ids (`HealthController_live`) of the routes with `@SkipThrottle()`. */
export function unthrottledOperations(app: NestExpressApplication): Set<string> {
  const reflector = app.get(Reflector);
  const unthrottled = controllerHandlers(app).filter(({ controller, handler }) =>
    reflector.getAllAndOverride<boolean | undefined>(SKIP, [handler, controller]),
  );
  return new Set(
    unthrottled.map(({ controller, handler }) => `${controller.name}_${handler.name}`),
  );
}
