import type { IncomingMessage } from 'node:http';
import { RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Lists the priorities, highest first. Under overload, requests with the last priority are rejected first. */
export const PRIORITIES = ['begun', 'game', 'login', 'other'] as const;
export type RequestPriority = (typeof PRIORITIES)[number];

export interface RoutePriority {
  /** A `cheap` request is never rejected, because it needs only memory or serves monitoring. */
  readonly priority: RequestPriority | 'cheap';
  /** This is true for requests that are counted separately, so that a slow game server does not use up the shared limit. */
  readonly waitsOutside: boolean;
  /** This is true if an `Idempotency-Key` ranks a request as `begun`, because the client may have lost a response. */
  readonly isRetriedByKey: boolean;
}

const PRIORITY = 'priority';

/**
 * Sets the priority of a route under overload. `begun` completes an action that the player began at the forum or in the
 * game, `game` needs a token, and `login` returns a token. Every route, or its controller, needs this decorator.
 */
export const Priority = (
  priority: RoutePriority['priority'],
  { waitsOutside = false, isRetriedByKey = false }: Partial<RoutePriority> = {},
) => SetMetadata(PRIORITY, { priority, waitsOutside, isRetriedByKey } satisfies RoutePriority);

export interface RequestKind {
  readonly priority: RequestPriority;
  readonly waitsOutside: boolean;
}

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

  /** Returns undefined for cheap requests, which are always admitted. Paths are case-insensitive, as in the router. */
  find({ method, url = '/', headers }: IncomingMessage): RequestKind | undefined {
    if (method === 'OPTIONS') return undefined;
    const query = url.indexOf('?');
    const path = (query === -1 ? url : url.slice(0, query)).toLowerCase().replace(/\/$/, '');
    // All other paths belong to files of the front end. The router rejects a target that is not a path.
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
