/** The parameters that the forum adds to the callback's address. */
export interface CallbackParameters {
  state: string;
  code: string;
  error: string;
}

export function parseCallbackQuery({
  state,
  code,
  error,
}: Record<string, unknown>): CallbackParameters {
  return { state: text(state), code: text(code), error: text(error) };
}

/** A parameter sent twice counts as missing: two readers might pick different ones. */
function text(parameter: unknown): string {
  return typeof parameter === 'string' ? parameter : '';
}
