import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { buildInfo } from '../config/build-info.js';
import { prepareResponse, sendPreparedResponse } from '../http/response/prepared-response.js';
import { NotFound } from '../http/errors/http.errors.js';
import { completeDocument } from './complete-document.js';
import { ErrorView } from './error.view.js';

const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'";

// The swagger-ui package ships more files than the page needs.
const PAGE_FILES = /^\/(swagger-ui[\w-]*\.(css|js)|favicon-\d+x\d+\.png)?$/;

/** `GET /api/openapi.json` and, for people, `GET /api/docs`. */
export function serveOpenApi(app: NestExpressApplication): void {
  app.use('/api/docs', (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_CSP);
    next(PAGE_FILES.test(request.path) ? undefined : new NotFound());
  });
  const document = buildDocument(app);
  serveDocument(app, Buffer.from(JSON.stringify(document)));
  SwaggerModule.setup('docs', app, document, {
    useGlobalPrefix: true,
    raw: false,
    customSiteTitle: 'Gatehouse API',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

/** Not by the swagger module, which would serialise the document for each request. */
function serveDocument(app: NestExpressApplication, bytes: Buffer): void {
  const answer = prepareResponse(bytes);
  const express = app.getHttpAdapter().getInstance();
  express.get('/api/openapi.json', (request, response) => {
    sendPreparedResponse(request, response.set('Cache-Control', 'no-cache').type('json'), answer);
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
    .setVersion(buildInfo.version)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  return completeDocument(SwaggerModule.createDocument(app, base, { extraModels: [ErrorView] }));
}
