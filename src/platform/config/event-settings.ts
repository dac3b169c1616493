import 'reflect-metadata';
import { ArrayUnique, IsIn, Matches } from 'class-validator';
import { IsListOf } from './notice-settings.js';
import { AllowNull, IsPlainUrl } from './validators.js';

/** `docs/game-servers.md` describes each type. */
const EVENT_TYPES = [
  'player.banned',
  'player.unbanned',
  'player.signed_out',
  'player.renamed',
  'player.closed',
  'player.linked',
  'player.unlinked',
  'withdrawal.settled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Matches the name of an endpoint in the settings and in `EVENT_SECRETS`. */
export const ENDPOINT_NAME = /^[\w-]{1,32}$/;
// The number is limited, because each endpoint has its own time series in the metrics.
const MAX_ENDPOINTS = 10;

/** Describes an entry of the setting `events`. */
export class EventEndpoint {
  @Matches(ENDPOINT_NAME, { message: 'must be 1 to 32 letters, digits, _ and -' }) name: string;
  @IsPlainUrl() url: string;
  @AllowNull()
  @IsIn(EVENT_TYPES, { each: true, message: `must be a list of ${EVENT_TYPES.join(', ')}` })
  types: EventType[] | null = null;
}

const IsEndpoints = IsListOf(() => EventEndpoint, 'endpoint', MAX_ENDPOINTS);

export const IsEndpointList = () => (target: object, key: string) => {
  IsEndpoints()(target, key);
  ArrayUnique((one: EventEndpoint | null) => one?.name, {
    message: 'must give each endpoint its own name',
  })(target, key);
};
