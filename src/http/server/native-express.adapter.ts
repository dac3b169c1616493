import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { sendJson } from '../answer/send-json.js';

/** Express answers a target that it cannot read with a page of its own, before anything of ours is asked. */
function readableTarget(target: string): string {
  return target.startsWith('/') || URL.canParse(target) ? target : `/${encodeURIComponent(target)}`;
}

/**
 * Express exchanges the prototypes of every request and answer for its own, after which V8 can no longer optimise
 * anything that is done with them: most of what a request costs. Here they are born with these prototypes, so that
 * Express finds them in place.
 */
export class NativeExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class NativeRequest extends IncomingMessage {}
    class NativeResponse extends ServerResponse {}
    Object.setPrototypeOf(NativeRequest.prototype, express.request);
    Object.setPrototypeOf(NativeResponse.prototype, express.response);
    express.request = NativeRequest.prototype as Express['request'];
    express.response = NativeResponse.prototype as Express['response'];
    const classes = { IncomingMessage: NativeRequest, ServerResponse: NativeResponse };
    this.httpServer = createServer(classes, (request, response) => {
      request.url = readableTarget(request.url!);
      express(request, response);
    });
  }

  /** Sends what the envelope interceptor made of a handler's result. */
  override reply(response: Response, body: object, status = response.statusCode): void {
    sendJson(response.status(status), body);
  }
}
