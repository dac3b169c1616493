import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { OPTIONAL_JWT_EXTENSION, PUBLIC_EXTENSION } from '../auth/auth.decorators.js';
import { GAME_SERVER_EXTENSION } from '../auth/game-server.guard.js';
import { ERROR_TABLE, errorCode, type ErrorName, errorStatus } from '../http/errors/error-table.js';
import { NotFound } from '../http/errors/http.errors.js';
import { UNTHROTTLED_EXTENSION } from '../http/limits/rate-limit.guard.js';
import {
  type PreparedResponse,
  prepareResponse,
  sendPreparedResponse,
} from '../http/response/prepared-response.js';
import { ERRORS_EXTENSION, ErrorView } from './api-response.js';

const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'";

// The swagger-ui package contains more files than the page needs.
const PAGE_FILES = /^\/(swagger-ui[\w-]*\.(css|js)|favicon-\d+x\d+\.png)?$/;

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
  'Retry-After': { description: 'seconds to wait before a retry', schema: { type: 'integer' } },
};

const EXTENSIONS = [
  PUBLIC_EXTENSION,
  OPTIONAL_JWT_EXTENSION,
  UNTHROTTLED_EXTENSION,
  GAME_SERVER_EXTENSION,
  ERRORS_EXTENSION,
];

/** Serves `GET /api/openapi.json` and its web page, `GET /api/docs`. */
export function serveOpenApi(app: NestExpressApplication): void {
  app.use('/api/docs', (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_CSP);
    next(PAGE_FILES.test(request.path) ? undefined : new NotFound());
  });
  let built: OpenAPIObject | undefined;
  // Building the document takes a tenth of a second, and most instances never serve it.
  const document = () => (built ??= buildDocument(app));
  serveDocument(app, document);
  SwaggerModule.setup('docs', app, document, {
    useGlobalPrefix: true,
    raw: false,
    customSiteTitle: 'Gatehouse API',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

/** Sends prepared bytes, because the swagger module would serialise the document for each request. */
function serveDocument(app: NestExpressApplication, document: () => OpenAPIObject): void {
  let prepared: PreparedResponse | undefined;
  const express = app.getHttpAdapter().getInstance();
  express.get('/api/openapi.json', (request, response) => {
    prepared ??= prepareResponse(Buffer.from(JSON.stringify(document())));
    sendPreparedResponse(request, response.set('Cache-Control', 'no-cache').type('json'), prepared);
  });
}

export function buildDocument(app: NestExpressApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Gatehouse')
    .setDescription(
      'Account and game-entry service. A success is `{ "code": 0, "message": "ok", "data": … }`; ' +
        'an error has a `code` and a stable `error` name to branch on.',
    )
    // This is the version of the API. The program's version is visible only to `metrics_ips`.
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  return completeDocument(SwaggerModule.createDocument(app, base, { extraModels: [ErrorView] }));
}

/** Adds the parts that the pipeline applies to every request, which are security and the errors of guards and pipes. */
function completeDocument(document: OpenAPIObject): OpenAPIObject {
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
