/** What the forum sends back with the person. */
export interface ForumReply {
  state: string;
  code: string;
  error: string;
}

export function replyOf({ state, code, error }: Record<string, unknown>): ForumReply {
  return { state: text(state), code: text(code), error: text(error) };
}

/** A parameter that is sent twice is none: the two might be taken for different things further on. */
function text(parameter: unknown): string {
  return typeof parameter === 'string' ? parameter : '';
}
