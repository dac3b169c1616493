// Sends the requests of players and game servers, and checks the shape and error of every response.
import { PUBLIC_URL } from './secrets.mjs';

const TIMEOUT_MS = 40_000;
const HEADERS_MS = 10_000;

/** Any request may get these errors during a fault. */
const ALWAYS_ALLOWED = ['service_unavailable', 'too_many_requests'];

export class Client {
  requests = 0;
  #abort = new AbortController();

  /** Calls `note` with the status of every response. */
  constructor(stage, violate, note) {
    Object.assign(this, { stage, violate, note });
  }

  /** Aborts all current and later requests. */
  abort() {
    this.#abort.abort();
  }

  /**
   * Returns the response, or undefined if none arrives. `may` lists the allowed errors. `target` is the index of
   * an instance. The index after the last instance is nginx, which forwards every client as 127.0.0.1.
   */
  async ask(entry, method, path, { target, token, body, key, from, cookie, may = [] } = {}) {
    const answer = await this.#send(target ?? entry.target, path, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(key && { 'Idempotency-Key': key }),
        ...(from && { 'X-Forwarded-For': from }),
        // The front end sends the cookie and the origin.
        ...(cookie && { Cookie: cookie, Origin: PUBLIC_URL }),
      },
      body: body && JSON.stringify(body),
    });
    if (!answer) return undefined;
    this.note(answer.status);
    this.#check(entry, `${method} ${path}`, answer, [...ALWAYS_ALLOWED, ...may]);
    return answer;
  }

  /** Returns the text of a page, or undefined if none arrives. */
  async page(entry, path) {
    const answer = await this.#send(entry.target, path);
    if (answer && answer.status !== 200) this.#check(entry, `GET ${path}`, answer, ALWAYS_ALLOWED);
    return answer?.status === 200 ? answer.text : undefined;
  }

  /** Requests a page that redirects, and returns the redirect without following it, or undefined. */
  async visit(entry, path, { target, cookie, from } = {}) {
    const headers = { ...(cookie && { Cookie: cookie }), 'X-Forwarded-For': from };
    const answer = await this.#send(target, path, { headers, redirect: 'manual' });
    if (!answer || answer.status === 302) return answer;
    this.#check(entry, `GET ${path.replace(/\?.*/, '')}`, answer, ALWAYS_ALLOWED);
    return undefined;
  }

  async #send(target, path, request) {
    const { instances, nginx } = this.stage;
    const { url } = instances[target] ?? nginx;
    this.requests++;
    const startedAt = performance.now();
    const answer = await send(url + path, request, this.#abort.signal);
    // On a busy machine, the harness itself may send its headers too slowly.
    const isSlow = performance.now() - startedAt > HEADERS_MS;
    if (isSlow && answer?.text.includes('The request could not be read.')) return undefined;
    // nginx also responds with 503 if an instance dies during the request, so its 503 counts as no response.
    return url === nginx.url && answer?.status === 503 ? undefined : answer;
  }

  #check(entry, request, { status, error, text, body }, may) {
    const detail = `${request}: ${status} ${text.slice(0, 300)}`;
    const isSuccess = (status === 200 || status === 202) && body?.code === 0;
    if (status >= 500 && status !== 503) this.violate('an unexpected 5xx', detail, entry);
    else if (isSuccess || may.includes(error)) return;
    else if (!error || !body.request_id) this.violate('a malformed error response', detail, entry);
    else this.violate('an unexpected error', detail, entry);
  }
}

async function send(url, request, abortSignal) {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), abortSignal]);
    const response = await fetch(url, { ...request, signal });
    const text = await response.text();
    const body = parseJson(text);
    return {
      status: response.status,
      text,
      body,
      error: body?.error,
      data: body?.data,
      location: response.headers.get('Location'),
      cookies: response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]),
    };
  } catch {
    return undefined;
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
