import type { Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
// The index of the package does not export it.
import { THROTTLER_SKIP } from '@nestjs/throttler/dist/throttler.constants.js';

const SKIP = `${THROTTLER_SKIP}default`;

/** The operation ids (`HealthController_live`) of the routes with `@SkipThrottle()`. */
export function unthrottledOperations(app: NestExpressApplication): Set<string> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const ids = new Set<string>();
  for (const { controllers } of app.get(ModulesContainer).values())
    for (const { metatype } of controllers.values()) {
      const { name, prototype } = metatype as Type<Record<string, () => unknown>>;
      for (const method of scanner.getAllMethodNames(prototype))
        if (reflector.getAllAndOverride(SKIP, [prototype[method], metatype]))
          ids.add(`${name}_${method}`);
    }
  return ids;
}
