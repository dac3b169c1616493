import { ApiError } from './api-error';
import { get } from './client';
import type { Data } from './contract';

export type Challenge = Data<'/api/challenge', 'get'>['challenge'];

/** Sends the request, and sends it again with a solved challenge if the service demands one. The player sees nothing. */
export async function withChallenge<T>(send: (solution?: string) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'challenge_required') throw error;
  }
  const { challenge } = await get('/api/challenge', { signed: false });
  return send(btoa(JSON.stringify({ ...challenge, number: await solve(challenge) })));
}

function solve(challenge: Challenge): Promise<number> {
  const worker = new Worker(new URL('./solve.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data));
    worker.addEventListener('error', () => reject(new ApiError('challenge_required')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
