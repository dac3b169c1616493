const PATIENCE_MS = 5000;
const LARGEST_ANSWER = 64 * 1024;

export interface TextAnswer {
  status: number;
  text: string;
}

/** One HTTP call with an end to it: no redirects, which could carry secrets elsewhere, no long waits, no large answers. */
export async function boundedFetch(url: string, request: RequestInit): Promise<TextAnswer> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(url, { ...request, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error(`the answer is larger than ${LARGEST_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}
