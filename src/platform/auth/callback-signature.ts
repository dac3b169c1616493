import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { currentTime } from '../database/database-clock.js';

const REPLAY_WINDOW_SECONDS = 300;
const SHA256_BYTES = 32;
const MAX_MISTAKES = 2;

/** Contains the parts of a game server's request that its signature covers, as they arrived. */
export interface SignedCall {
  timestamp?: string;
  signature?: string;
  method: string;
  /** The target is the path with the query. */
  target: string;
  host?: string;
  body: Buffer;
}

interface Secrets {
  accepted: string[];
  /** Maps names to secrets that programmers mistake for the right one. */
  mistaken: Record<string, string | undefined>;
}

/** The signed text is unambiguous, because no part can contain a line break. */
export function signedText({ timestamp, method, target, body }: SignedCall): string {
  return [timestamp, method, target, digestOf(body)].join('\n');
}

export function isSignedWith(secret: string, call: SignedCall): boolean {
  const { signature = '' } = call;
  // Without the regular expression, Buffer.from would ignore everything after the first character that is not hex.
  const given = Buffer.from(/^[0-9a-f]*$/i.test(signature) ? signature : '', 'hex');
  return areEqual(given, hmac(secret, signedText(call)));
}

/** Returns how many seconds the caller's clock is ahead, or undefined if the timestamp is malformed. */
export function clockSkewOf({ timestamp = '' }: SignedCall): number | undefined {
  return /^\d{1,12}$/.test(timestamp) ? Number(timestamp) - currentTime() / 1000 : undefined;
}

/** Returns the time at which a fresh timestamp becomes too old, or undefined if the timestamp is not fresh. */
export function freshUntil(call: SignedCall): Date | undefined {
  const skew = clockSkewOf(call);
  return skew !== undefined && Math.abs(skew) <= REPLAY_WINDOW_SECONDS
    ? new Date((Number(call.timestamp) + REPLAY_WINDOW_SECONDS) * 1000)
    : undefined;
}

/** Explains to operators why a call was refused, by testing for common mistakes. The caller never sees the result. */
export function explainRefusal(call: SignedCall, secrets: Secrets): string {
  const { timestamp, signature } = call;
  if (!timestamp || !signature) {
    const missing = [!timestamp && 'X-Timestamp', !signature && 'X-Signature'].filter(Boolean);
    return `${missing.join(' and ')} missing`;
  }
  if (/^\d{13}$/.test(timestamp)) return 'X-Timestamp is in milliseconds: send unix seconds';
  const skew = clockSkewOf(call);
  if (skew === undefined) return 'X-Timestamp is not a time in unix seconds';
  if (!freshUntil(call)) {
    const seconds = Math.round(Math.abs(skew));
    return `clock wrong: X-Timestamp is ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}, and only ${REPLAY_WINDOW_SECONDS} s are allowed`;
  }
  const { bytes, mistake } = decode(signature);
  if (bytes?.length !== SHA256_BYTES)
    return 'signature wrong: X-Signature is not an HMAC-SHA256, which has 64 hex digits';
  const mistakes = findMistakes(call, bytes, secrets);
  if (!mistakes)
    return 'signature wrong: no common mistake was found; compare the secret, and the signed text byte for byte';
  return `signature wrong: ${[mistake, ...mistakes].filter(Boolean).join('; ')}`;
}

function decode(signature: string): { bytes?: Buffer; mistake?: string } {
  const bare = signature.trim().replace(/^(?:sha256|hmac-sha256|v1)[=,:]\s*/i, '');
  const prefix = bare === signature ? undefined : 'X-Signature has text before the signature';
  if (/^(?:[0-9a-f]{2})+$/i.test(bare)) return { bytes: Buffer.from(bare, 'hex'), mistake: prefix };
  return /^[\w+/-]+=*$/.test(bare)
    ? { bytes: Buffer.from(bare, 'base64'), mistake: 'X-Signature is base64, not hex' }
    : {};
}

/** A programmer who makes the mistake signs this value instead of the correct one. The correct value has no mistake. */
type Variant<T> = [value: T, mistake?: string];

/** Returns the fewest mistakes that lead to the given signature. */
function findMistakes(call: SignedCall, given: Buffer, secrets: Secrets): string[] | undefined {
  const lists = [
    timestampVariants(call),
    methodVariants(call),
    targetVariants(call),
    bodyVariants(call),
    JOINTS,
    keyVariants(secrets),
  ] as Array<Array<Variant<unknown>>>;
  const combinations = lists.reduce<Array<{ values: unknown[]; mistakes: string[] }>>(
    (rows, list) =>
      rows
        .flatMap(({ values, mistakes }) =>
          list.map(([value, mistake]) => ({
            values: [...values, value],
            mistakes: mistake === undefined ? mistakes : [...mistakes, mistake],
          })),
        )
        .filter(({ mistakes }) => mistakes.length <= MAX_MISTAKES),
    [{ values: [], mistakes: [] }],
  );
  return combinations
    .toSorted((one, other) => one.mistakes.length - other.mistakes.length)
    .find(({ values }) => {
      const [join, sign] = values.slice(4) as [Joint, Signer];
      return areEqual(given, sign(join(values.slice(0, 4) as string[])));
    })?.mistakes;
}

const timestampVariants = ({ timestamp }: SignedCall): Array<Variant<string>> => [
  [timestamp!],
  [`${timestamp}000`, 'the signed timestamp is in milliseconds'],
];

const methodVariants = ({ method }: SignedCall): Array<Variant<string>> => [
  [method],
  [method.toLowerCase(), 'the method is in lower case'],
  [method === 'GET' ? 'POST' : 'GET', 'another method is signed'],
];

function targetVariants({ target, host = '' }: SignedCall): Array<Variant<string>> {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const sorted = query.split('&').toSorted().join('&');
  const variants: Array<Variant<string>> = [
    [path, 'the path lacks the query'],
    [decoded(target), 'the query is signed before it is escaped'],
    [decoded(target.replaceAll('+', ' ')), 'the query is signed before it is escaped'],
    [target.replaceAll('%20', '+'), 'a space is signed as +, but sent as %20'],
    [target.replaceAll('+', '%20'), 'a space is signed as %20, but sent as +'],
    [target.replaceAll(/%[0-9a-f]{2}/gi, (hex) => hex.toLowerCase()), 'escapes differ in case'],
    [target.replaceAll(/%[0-9a-f]{2}/gi, (hex) => hex.toUpperCase()), 'escapes differ in case'],
    [`${path}?${sorted}`, "the query's fields are in another order"],
    [target.replace(/^\/api/, ''), 'the path lacks /api'],
    [target.slice(1), 'the path lacks the first /'],
    [`http://${host}${target}`, 'the whole URL is signed, not the path'],
    [`https://${host}${target}`, 'the whole URL is signed, not the path'],
  ];
  return [[target], ...variants.filter(([value]) => value !== target)];
}

function bodyVariants({ body }: SignedCall): Array<Variant<string>> {
  const digest = digestOf(body);
  const text = body.toString();
  return [
    [digest],
    [digest.toUpperCase(), "the body's hash is in upper case"],
    [Buffer.from(digest, 'hex').toString('base64'), "the body's hash is base64, not hex"],
    [
      text,
      body.length > 0
        ? 'the body is signed, not its hash'
        : 'the hash of the empty body is missing',
    ],
    [digestOf(`${text}\n`), 'the signed body has an extra line feed at its end'],
    ...(body.length > 0
      ? ([
          [digestOf(''), 'the hash is that of an empty body'],
          [
            digestOf(reformatted(text)),
            'the signed body is formatted differently from the sent one',
          ],
          [digestOf(text.replace(/\n$/, '')), 'the signed body lacks the last line feed'],
        ] satisfies Array<Variant<string>>)
      : ([
          [digestOf('{}'), 'the hash is that of {}, but no body was sent'],
          [digestOf('null'), 'the hash is that of null, but no body was sent'],
        ] satisfies Array<Variant<string>>)),
  ];
}

type Joint = (lines: string[]) => string;

const JOINTS: Array<Variant<Joint>> = [
  [(lines) => lines.join('\n')],
  [(lines) => `${lines.join('\n')}\n`, 'a line feed follows the last line'],
  [(lines) => lines.join('\r\n'), 'the lines end in CR LF instead of LF'],
  [(lines) => lines.join(''), 'the line feeds are missing'],
  [(lines) => lines.join('\\n'), 'the line feeds are a backslash and an n'],
];

type Signer = (text: string) => Buffer;

function keyVariants({ accepted, mistaken }: Secrets): Array<Variant<Signer>> {
  return [
    ...accepted.flatMap((secret): Array<Variant<Signer>> => [
      [(text) => hmac(secret, text)],
      [(text) => hmac(`${secret}\n`, text), 'the secret has a line feed at its end'],
      [(text) => hmac(Buffer.from(secret, 'hex'), text), 'the secret was decoded from hex'],
      [(text) => hmac(secret.toUpperCase(), text), 'the secret is in upper case'],
      [(text) => sha256(secret + text), 'a plain hash with the secret, not an HMAC'],
      [(text) => sha256(text + secret), 'a plain hash with the secret, not an HMAC'],
    ]),
    ...Object.entries(mistaken).flatMap(([name, secret]): Array<Variant<Signer>> =>
      secret ? [[(text) => hmac(secret, text), `signed with ${name}`]] : [],
    ),
  ];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function reformatted(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

const digestOf = (body: string | Buffer): string => sha256(body).toString('hex');

const hmac = (secret: string | Buffer, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest();

const areEqual = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);
