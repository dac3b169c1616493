// Requests as players and game servers send them, each answer held against what every answer must be.
import { PUBLIC_URL } from './secrets.mjs';

const PATIENCE_MS = 40_000;
/** So long an instance waits for the whole of a request's headers. */
const HEADERS_MS = 10_000;

/** May answer any request while something is broken. */
const ALWAYS = ['service_unavailable', 'too_many_requests'];

export class Client {
  requests = 0;
  #hurry = new AbortController();

  /** `note` is told every answer's status. */
  constructor(stage, violate, note) {
    Object.assign(this, { stage, violate, note });
  }

  /** From now on nobody gets an answer. */
  giveUp() {
    this.#hurry.abort();
  }

  /**
   * The answer, or undefined where there was none. `may` names the errors that this request may be answered with.
   * `target` is an instance; one above the last is nginx, which says of every client that it is at 127.0.0.1.
   */
  async ask(entry, method, path, { target, token, body, key, from, cookie, may = [] } = {}) {
    const answer = await this.#send(target ?? entry.target, path, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(key && { 'Idempotency-Key': key }),
        ...(from && { 'X-Forwarded-For': from }),
        // As a page of the front end sends it.
        ...(cookie && { Cookie: cookie, Origin: PUBLIC_URL }),
      },
      body: body && JSON.stringify(body),
    });
    if (!answer) return undefined;
    this.note(answer.status);
    const asked = `${method} ${path}`;
    this.#check(entry, asked, answer, [...ALWAYS, ...may]);
    return answer;
  }

  /** The text of a page, or undefined. */
  async page(entry, path) {
    const answer = await this.#send(entry.target, path);
    if (answer && answer.status !== 200) this.#check(entry, `GET ${path}`, answer, ALWAYS);
    return answer?.status === 200 ? answer.text : undefined;
  }

  /** A page that redirects, as a browser visits it at one instance: where to, or undefined. */
  async visit(entry, path, { target, cookie, from } = {}) {
    const headers = { ...(cookie && { Cookie: cookie }), 'X-Forwarded-For': from };
    const answer = await this.#send(target, path, { headers, redirect: 'manual' });
    if (!answer || answer.status === 302) return answer;
    this.#check(entry, `GET ${path.replace(/\?.*/, '')}`, answer, ALWAYS);
    return undefined;
  }

  async #send(target, path, request) {
    const { instances, nginx } = this.stage;
    const { url } = instances[target] ?? nginx;
    this.requests++;
    const startedAt = performance.now();
    const answer = await send(url + path, request, this.#hurry.signal);
    // On a busy machine the harness itself is a client that takes too long to send.
    const isSlow = performance.now() - startedAt > HEADERS_MS;
    if (isSlow && answer?.text.includes('The request could not be read.')) return undefined;
    // nginx says 503 also where an instance died with the request: that is no answer of the service.
    return url === nginx.url && answer?.status === 503 ? undefined : answer;
  }

  #check(entry, asked, { status, error, text, body }, may) {
    const told = `${asked}: ${status} ${text.slice(0, 300)}`;
    const isSuccess = (status === 200 || status === 202) && body?.code === 0;
    if (status >= 500 && status !== 503) this.violate('an answer 5xx', told, entry);
    else if (isSuccess || may.includes(error)) return;
    else if (!error || !body.request_id) this.violate('an answer without shape', told, entry);
    else this.violate('an answer that may not be', told, entry);
  }
}

async function send(url, request, hurry) {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), hurry]);
    const response = await fetch(url, { ...request, signal });
    const text = await response.text();
    const body = parsed(text);
    return {
      status: response.status,
      text,
      body,
      error: body?.error,
      data: body?.data,
      isHit: response.headers.get('Idempotency-Hit') === 'true',
      location: response.headers.get('Location'),
      cookies: response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]),
    };
  } catch {
    return undefined;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
