import type { IncomingMessage } from 'node:http';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PRIORITY, type RequestPriority, type RoutePriority } from './priority.decorator.js';

export interface RequestKind {
  readonly priority: RequestPriority;
  readonly waitsOutside: boolean;
}

/** A route, such as `GET /api/sessions/:id`, and its `@Priority()`; undefined if that is missing. */
type PrioritizedRoute = [route: string, priority: RoutePriority | undefined];

const OTHER: RequestKind = { priority: 'other', waitsOutside: false };

/** Finds the priority of a request before Express has routed it. */
export class RoutePriorities {
  private readonly byRoute = new Map<string, RoutePriority>();
  private readonly byPattern: Array<[pattern: RegExp, priority: RoutePriority]> = [];

  constructor(routes: PrioritizedRoute[]) {
    for (const [route, priority] of routes)
      if (!priority) continue;
      else if (!route.includes(':')) this.byRoute.set(route, priority);
      else this.byPattern.push([new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`), priority]);
  }

  /** Undefined for cheap requests, which are always admitted. Ignores case, as routes do. */
  find({ method, url = '/', headers }: IncomingMessage): RequestKind | undefined {
    if (method === 'OPTIONS') return undefined;
    const query = url.indexOf('?');
    const path = (query === -1 ? url : url.slice(0, query)).toLowerCase().replace(/\/$/, '');
    // Other paths are the front end's files. A target that is not a path is refused by the routes.
    if (!path.startsWith('/api/')) return url.startsWith('/') ? undefined : OTHER;
    const route = `${method === 'HEAD' ? 'GET' : method} ${path}`;
    const found =
      this.byRoute.get(route) ?? this.byPattern.find(([pattern]) => pattern.test(route))?.[1];
    if (!found) return OTHER;
    const { priority, waitsOutside, isRetriedByKey } = found;
    if (priority === 'cheap') return undefined;
    const isRetry = isRetriedByKey && headers['idempotency-key'] !== undefined;
    return { priority: isRetry ? 'begun' : priority, waitsOutside };
  }
}

type Handler = () => unknown;

/** The methods of all controllers that are routes. */
function controllerHandlers(
  app: NestExpressApplication,
): Array<{ controller: Type; handler: Handler }> {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .map(({ metatype }) => metatype as Type<Record<string, Handler>>)
    .flatMap((controller) =>
      scanner
        .getAllMethodNames(controller.prototype)
        .map((name) => ({ controller, handler: controller.prototype[name]! }))
        .filter(({ handler }) => Reflect.hasMetadata(METHOD_METADATA, handler)),
    );
}

/** All routes of the controllers. */
export function prioritizedRoutes(app: NestExpressApplication): PrioritizedRoute[] {
  const reflector = app.get(Reflector);
  return controllerHandlers(app).map(({ controller, handler }) => {
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!;
    const path = [controller, handler]
      .map((target) => Reflect.getMetadata(PATH_METADATA, target) as string)
      .filter((part) => part !== '/')
      .join('/');
    return [
      `${method} /api/${path}`,
      reflector.getAllAndOverride<RoutePriority | undefined>(PRIORITY, [handler, controller]),
    ];
  });
}
