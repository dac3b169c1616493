import { SetMetadata } from '@nestjs/common';

/** Highest first: under overload the last one is turned away first. */
export const PRIORITIES = ['begun', 'game', 'login', 'other'] as const;
export type RequestPriority = (typeof PRIORITIES)[number];

export interface RoutePriority {
  /** `cheap`: never turned away, because it is answered from memory or asked by monitoring. */
  readonly priority: RequestPriority | 'cheap';
  /** Counted separately, so that a slow game server or mail server does not use up the limit for everybody. */
  readonly waitsOutside: boolean;
  /** With an `Idempotency-Key` it may be the retry of a request whose answer was lost, so it ranks as `begun`. */
  readonly isRetriedByKey: boolean;
}

export const PRIORITY = 'priority';

/**
 * Which requests an overloaded service still serves: `begun` completes something that the player began at the forum or
 * in the game, `game` needs a token, `login` gives one. Every route or its controller has one.
 */
export const Priority = (
  priority: RoutePriority['priority'],
  { waitsOutside = false, isRetriedByKey = false }: Partial<RoutePriority> = {},
) => SetMetadata(PRIORITY, { priority, waitsOutside, isRetriedByKey } satisfies RoutePriority);
