import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Client } from './client.js';

interface Offer {
  challenge: Record<'algorithm' | 'challenge' | 'salt' | 'signature', string> & {
    maxnumber: number;
  };
  required: boolean;
  expires_in: number;
}

export async function getChallenge(client: Client, from?: string): Promise<Offer> {
  const { status, body } = await client.get('/api/challenge', { from });
  expect(status).toBe(200);
  return body.data as Offer;
}

/** Returns ALTCHA's payload with `changes`. */
export function solve({ challenge }: Offer, changes: object = {}): string {
  const { salt, maxnumber } = challenge;
  let number = 0;
  while (number < maxnumber && sha256(`${salt}${number}`) !== challenge.challenge) number++;
  const { maxnumber: _, ...signed } = challenge;
  return Buffer.from(JSON.stringify({ ...signed, number, ...changes })).toString('base64');
}

export async function solvedChallenge(client: Client): Promise<string> {
  return solve(await getChallenge(client));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
