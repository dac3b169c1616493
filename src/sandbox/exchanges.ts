import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from './page.js';

const MAX_KEPT = 20;
const MAX_LENGTH = 4000;

interface Exchange {
  title: string;
  /** The sender of a signed request signed this text. */
  signedText?: string;
  request: string;
  response: string;
}

/** Keeps the last requests to and from the sandbox's game server, which programmers can compare with their own. */
export class Exchanges {
  private readonly kept: Exchange[] = [];

  add(exchange: Exchange): void {
    this.kept.unshift(exchange);
    this.kept.length = Math.min(this.kept.length, MAX_KEPT);
  }

  /**
   * Records a request to the game server immediately, and its response, even an incomplete one, when the response ends.
   */
  watch(
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
    signedText: string,
  ): void {
    const sent: string[] = [];
    const write = response.write.bind(response) as (...args: unknown[]) => boolean;
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.write = (...args: unknown[]) => {
      sent.push(String(args[0]));
      return write(...args);
    };
    response.end = (...args: unknown[]) => {
      if (typeof args[0] === 'string') sent.push(args[0]);
      return end(...args);
    };
    const exchange = {
      title: `Received ${request.method} ${pathOf(request)}`,
      signedText,
      request: rawRequest(request, body),
      response: 'no answer yet',
    };
    this.add(exchange);
    response.once('close', () => {
      exchange.response = response.headersSent
        ? `HTTP/1.1 ${response.statusCode}\n\n${sent.join('')}`
        : 'none: the connection was closed';
    });
  }

  toHtml(): string {
    if (this.kept.length === 0) return '<p>No requests since the start.</p>';
    const block = (title: string, text: string) =>
      `<h3>${title}</h3><pre class="raw">${escapeHtml(text.slice(0, MAX_LENGTH))}</pre>`;
    return this.kept
      .map(
        ({ title, signedText, request, response }) =>
          `<article><h2>${escapeHtml(title)}</h2>${block('Request', request)}` +
          `${signedText === undefined ? '' : block('Signed text', signedText)}${block('Answer', response)}</article>`,
      )
      .join('');
  }
}

function rawRequest(request: IncomingMessage, body: string): string {
  const headers = request.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${request.rawHeaders[index + 1]}`] : [],
  );
  return [`${request.method} ${pathOf(request)} HTTP/1.1`, ...headers, '', body].join('\n');
}

/** Returns the whole path, because Express removes the sandbox's mount path from `url`. */
function pathOf(request: IncomingMessage & { originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '';
}
