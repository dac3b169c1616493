const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime ** (1 / 2)));
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(prime ** (1 / 3)));
const schedule = new Int32Array(64);

/**
 * Returns the eight words of the hash of ASCII text. `crypto.subtle` takes far longer for many short texts, because
 * each call is asynchronous, and browsers lack it without HTTPS.
 */
export function sha256(text: string): Int32Array {
  const blocks = (text.length + 72) >> 6;
  const words = new Int32Array(blocks * 16);
  for (let at = 0; at < text.length; at++)
    words[at >> 2]! |= text.charCodeAt(at) << (24 - 8 * (at & 3));
  words[text.length >> 2]! |= 128 << (24 - 8 * (text.length & 3));
  words[blocks * 16 - 1] = 8 * text.length;
  const state = START.slice();
  for (let at = 0; at < words.length; at += 16) mix(state, words.subarray(at, at + 16));
  return state;
}

function mix(state: Int32Array, block: Int32Array): void {
  schedule.set(block);
  for (let t = 16; t < 64; t++) {
    const near = schedule[t - 2]!;
    const far = schedule[t - 15]!;
    schedule[t] =
      schedule[t - 16]! +
      schedule[t - 7]! +
      (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) +
      (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10));
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let t = 0; t < 64; t++) {
    const first =
      h +
      (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
      ((e & f) ^ (~e & g)) +
      CONSTANTS[t]! +
      schedule[t]!;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at]! += word));
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));
