const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

export interface TextResponse {
  status: number;
  text: string;
}

/** One HTTP call of at most 5 s and 64 KiB. A redirect fails: it could carry secrets to another host. */
export async function boundedFetch(url: string, request: RequestInit): Promise<TextResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...request, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}
