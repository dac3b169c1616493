import { isIP } from 'node:net';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { instanceUrl } from './host-list-url.js';

// URL parsers read a name whose last part is a number as an IPv4 address.
const HOST_NAME = /^(?=.{1,253}$)[\w-]+(\.[\w-]+)*(?<!(^|\.)\d+)$/;

export const validateWith = (
  name: string,
  message: string,
  validate: (value: unknown) => boolean,
) => ValidateBy({ name, validator: { validate, defaultMessage: () => message } });

export const IsIntBetween =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (target: object, key: string) => {
    const message =
      max === Number.MAX_SAFE_INTEGER
        ? `must be a whole number of at least ${min}`
        : `must be a whole number from ${min} to ${max}`;
    IsInt({ message })(target, key);
    Min(min, { message })(target, key);
    Max(max, { message })(target, key);
  };

export const IsShare = () => (target: object, key: string) => {
  const message = 'must be a number from 0 to 1';
  IsNumber({}, { message })(target, key);
  Min(0, { message })(target, key);
  Max(1, { message })(target, key);
};

export const AllowNull = () => ValidateIf((_, value) => value !== null);

export const IsSwitch = () => IsBoolean({ message: 'must be true or false' });

export const NestedSettings =
  (type: () => new () => object, message = 'must be a group of settings') =>
  (target: object, key: string) => {
    IsObject({ message })(target, key);
    ValidateNested({ message })(target, key);
    Type(type)(target, key);
  };

/** Accepts a whole number as a string of digits. */
export const IntFromString = (min: number, max: number) => (target: object, key: string) => {
  const message = `must be between ${min} and ${max}`;
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  )(target, key);
  IsInt({ message: 'must be a whole number' })(target, key);
  Min(min, { message })(target, key);
  Max(max, { message })(target, key);
};

export const IsUrlWithProtocol = (protocols: string[]) =>
  validateWith(
    'isUrlOf',
    `must be a URL that starts with ${protocols.map(urlPrefix).join(' or ')}`,
    (value) =>
      typeof value === 'string' &&
      URL.canParse(value) &&
      protocols.includes(new URL(value).protocol),
  );

/** Rejects a URL with a user or a password, because pages, logs and `gatehouse check` show the URL. */
export const IsPlainUrl = () =>
  validateWith(
    'isPlainUrl',
    'must be a URL that starts with https:// or http://, without a password and a fragment',
    (value) => {
      if (typeof value !== 'string' || value.length > 500 || !URL.canParse(value)) return false;
      const { protocol, username, password, hash } = new URL(value);
      return /^https?:$/.test(protocol) && !username && !password && !hash;
    },
  );

const urlPrefix = (protocol: string) => (protocol === 'mailto:' ? protocol : `${protocol}//`);

/** Accepts only a time with its UTC offset, because a time without an offset is ambiguous. */
export const IsZonedDateTime = () =>
  validateWith(
    'isMoment',
    'must be a time with its time zone, such as 2026-11-20T02:00:00+08:00',
    (value) =>
      typeof value === 'string' &&
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
      !Number.isNaN(Date.parse(value)),
  );

/** Rejects hop counts and `true`, which would let a client that connects directly choose its own address. */
export const IsTrustedProxies = () =>
  validateWith(
    'isTrustedProxies',
    'must list addresses, CIDR blocks no wider than /8 (IPv6: /16), loopback, linklocal or uniquelocal, or say none',
    (value) => {
      if (typeof value !== 'string') return false;
      const names = ['loopback', 'linklocal', 'uniquelocal'];
      return (
        value === 'none' ||
        value
          .split(',')
          .map((entry) => entry.trim())
          .every((entry) => names.includes(entry) || (isAddressOrBlock(entry) && !isTooWide(entry)))
      );
    },
  );

export const IsAddressList = () =>
  validateWith(
    'areAddresses',
    'must be a list of addresses and CIDR blocks, such as 203.0.113.7 or 2001:db8::/32',
    (value) => Array.isArray(value) && value.every(isAddressOrBlock),
  );

export const IsAccountList = () =>
  validateWith(
    'areAccounts',
    'must be a list of names of up to 20 letters, digits and _, in quotes if they are numbers',
    (value) =>
      Array.isArray(value) &&
      value.every((name) => typeof name === 'string' && /^\w{1,20}$/.test(name)),
  );

export const IsMailDomainList = (word?: string) =>
  validateWith(
    'areMailDomains',
    `must be a list of mail domains in lower case, such as spam.example or *.spam.example${word ? `, or ${word}` : ''}`,
    (value) =>
      Array.isArray(value) &&
      value.every(
        (entry) =>
          typeof entry === 'string' &&
          (entry === word || /^(\*\.)?([a-z0-9-]+\.)+[a-z0-9-]+$/.test(entry)),
      ),
  );

export const IsHostList = () =>
  validateWith(
    'areHosts',
    'must be a list of host names, addresses and CIDR blocks, such as game1.example.com or 10.0.8.0/24',
    (value) =>
      Array.isArray(value) &&
      value.every((entry) => isAddressOrBlock(entry) || HOST_NAME.test(String(entry))),
  );

export const IsInstanceList = () =>
  validateWith(
    'areInstances',
    'must be a list of at most 100 addresses of instances, such as 192.0.2.11:3001 or https://one.example.com',
    (value) =>
      Array.isArray(value) &&
      value.length <= 100 &&
      value.every((entry) => instanceUrl(entry) !== undefined),
  );

export const IsPathList = () =>
  validateWith(
    'arePaths',
    'must be a list of paths that start with /',
    (value) =>
      Array.isArray(value) &&
      value.every((path) => typeof path === 'string' && /^\/\S*$/.test(path)),
  );

/** Accepts only plain identifiers, because table and column names become part of SQL text. */
export const IsIdentifier = () =>
  Matches(/^[A-Za-z0-9_]{1,64}$/, { message: 'must be a plain name of letters, digits and _' });

export const IsDatabasePattern = () =>
  Matches(/^[A-Za-z0-9_]*\{server_id\}[A-Za-z0-9_]*$/, {
    message: 'must be a database name of letters, digits and _ with {server_id} in it',
  });

/** Returns whether a few blocks of this size, such as 0.0.0.0/1 and 128.0.0.0/1, would cover every address. */
function isTooWide(entry: string): boolean {
  const [address = '', bits = '128'] = entry.split('/');
  // Proxies may also see IPv4 clients as addresses in ::ffff:0:0/96.
  if (/^(0*:)+ffff:/i.test(address)) return Number(bits) < 96 + 8;
  const isLocal = /^f[cde]/i.test(address);
  return Number(bits) < (isIP(address) === 4 ? 8 : isLocal ? 7 : 16);
}

function isAddressOrBlock(entry: unknown): boolean {
  if (typeof entry !== 'string') return false;
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}
