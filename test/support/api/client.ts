export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body is an empty object if the response is not JSON. */
  body: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests look into it freely
}

interface Request {
  /** The client sends strings and bytes unchanged, and any other body as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  token?: string;
  /** Sets the client's address. Tests connect over loopback, which the service trusts as its proxy. */
  from?: string;
}

export class Client {
  constructor(private readonly url: string) {}

  get(path: string, request: Request = {}): Promise<Answer> {
    return this.send('GET', path, request);
  }

  post(path: string, body: unknown, request: Request = {}): Promise<Answer> {
    return this.send('POST', path, { ...request, body });
  }

  async send(
    method: string,
    path: string,
    { body, headers, token, from }: Request = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(from !== undefined && { 'X-Forwarded-For': from }),
        ...headers,
      },
      body: raw ? (body as string) : body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body'];
  } catch {
    return {};
  }
}
