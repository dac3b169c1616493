import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { GAME_SERVER_EXTENSION } from '../auth/game-server.decorator.js';
import { OPTIONAL_JWT_EXTENSION, PUBLIC_EXTENSION } from '../auth/public.decorator.js';
import { UNTHROTTLED_EXTENSION } from '../http/limits/rate-limit.guard.js';
import { ERRORS_EXTENSION } from '../http/response/api-success.decorator.js';
import { errorCode, ERROR_TABLE, type ErrorName, errorStatus } from '../http/errors/error-table.js';
import { ErrorView } from './error.view.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> &
  Record<`x-${string}`, unknown>;

const OF_EVERY_ROUTE: ErrorName[] = ['ip_denied', 'internal_error'];
const OF_THROTTLED_ROUTES: ErrorName[] = ['too_many_requests'];
const OF_PROTECTED_ROUTES: ErrorName[] = [
  'unauthorized',
  'account_disabled',
  'service_unavailable',
];
const OF_ROUTES_WITH_BODY: ErrorName[] = [
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
];

const WITH_RETRY_AFTER = [429, 503];
const RETRY_AFTER = {
  'Retry-After': { description: 'seconds, where waiting helps', schema: { type: 'integer' } },
};

const EXTENSIONS = [
  PUBLIC_EXTENSION,
  OPTIONAL_JWT_EXTENSION,
  UNTHROTTLED_EXTENSION,
  GAME_SERVER_EXTENSION,
  ERRORS_EXTENSION,
];

/** Adds to each operation what the pipeline adds to each request: security, and the errors of guards and pipes. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path) as Operation[]) complete(operation);
  return document;
}

function complete(operation: Operation): void {
  const isPublic = operation[PUBLIC_EXTENSION] === true;
  const takesJwt = !isPublic || operation[OPTIONAL_JWT_EXTENSION] === true;
  const errors = new Set<ErrorName>([
    ...OF_EVERY_ROUTE,
    ...(operation[UNTHROTTLED_EXTENSION] === true ? [] : OF_THROTTLED_ROUTES),
    ...(takesJwt ? OF_PROTECTED_ROUTES : []),
    ...(operation[GAME_SERVER_EXTENSION] === true ? (['caller_not_allowed'] as const) : []),
    ...(operation.requestBody ? OF_ROUTES_WITH_BODY : []),
    ...(operation.parameters?.length ? (['invalid_request'] as const) : []),
    ...((operation[ERRORS_EXTENSION] as ErrorName[] | undefined) ?? []),
  ]);
  operation.security = [
    ...(isPublic && takesJwt ? [{}] : []),
    ...(takesJwt ? [{ bearer: [] }] : []),
  ];
  Object.assign(operation.responses, responsesOf([...errors]));
  for (const extension of EXTENSIONS) delete operation[extension as `x-${string}`];
}

function responsesOf(errors: ErrorName[]) {
  const statuses = [...new Set(errors.map(errorStatus))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        ...responseOf(errors.filter((error) => errorStatus(error) === status)),
        ...(WITH_RETRY_AFTER.includes(status) && { headers: RETRY_AFTER }),
      },
    ]),
  );
}

function responseOf(names: ErrorName[]) {
  const codes = { code: { enum: names.map(errorCode) }, error: { enum: names } };
  return {
    description: names.map((name) => `\`${name}\`: ${ERROR_TABLE[name][1]}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: getSchemaPath(ErrorView) }, { properties: codes }] },
      },
    },
  };
}
