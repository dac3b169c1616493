import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse-settings.js';
import type { ConfigurationError } from './configuration-error.js';
import { DEFAULT_SETTINGS } from './settings.schema.js';

const parse = (text: string) => parseSettings(text, 'settings.yaml');

function problemsOf(text: string): string[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}

const notice = (more: string) => `notices: [{ text: { zh: x, en: x }, ${more} }]`;

const BOMB = [
  'a: &a [x, x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [*${before}, *${before}, *${before}, *${before}]`;
  }),
].join('\n');

describe('The settings file', () => {
  it('contains the defaults as shipped', () => {
    const shipped = readFileSync(new URL('../../../config/settings.yaml', import.meta.url), 'utf8');
    expect(parse(shipped)).toEqual(parse('defaults: true'));
    expect(JSON.parse(JSON.stringify(parse('defaults: true')))).toEqual(DEFAULT_SETTINGS);
  });

  it('uses the default for each missing key at any depth', () => {
    const settings = parse(
      'login_throttle: { account_and_address: { failures: 3 } }\nwithdraw: { min: 1 }',
    );
    const { window, lock, max_lock } = DEFAULT_SETTINGS.login_throttle.account_and_address;
    expect(settings.login_throttle.account_and_address).toEqual({
      failures: 3,
      window,
      lock,
      max_lock,
    });
    expect(settings.login_throttle.address).toEqual(DEFAULT_SETTINGS.login_throttle.address);
    expect(settings.withdraw).toMatchObject({ min: 1, max: DEFAULT_SETTINGS.withdraw.max });
  });

  it('reads an empty list as no entries, an empty group as defaults and null as no limit', () => {
    const settings = parse(
      'deny_ip:\nwithdraw:\nday_max_reg: null\nchat: { retention_days: null }',
    );
    expect(settings.deny_ip).toEqual([]);
    expect(settings.withdraw).toEqual(DEFAULT_SETTINGS.withdraw);
    expect(settings.day_max_reg).toBeNull();
    expect(settings.chat.retention_days).toBeNull();
  });

  it('may contain a notice without times and a link', () => {
    expect(parse('notices: [{ text: { zh: 在, en: now } }]').notices).toEqual([
      { text: { zh: '在', en: 'now' }, level: 'info', from: null, until: null, link: null },
    ]);
  });

  it.each([
    ['deny_ips: []', 'deny_ips is not a known setting'],
    ['withdraw: { minimum: 5 }', 'withdraw.minimum is not a known setting'],
    ['deny_ip: [300.1.1.1]', 'deny_ip must be a list of addresses'],
    ['deny_ip: [10.0.0.0/33]', 'deny_ip must be a list of addresses'],
    ['deny_ip: 10.0.0.1', 'deny_ip must be a list of addresses'],
    ['game_hosts: [300.1.1.1]', 'game_hosts must be a list of host names'],
    ['game_hosts: ["http://game1"]', 'game_hosts must be a list of host names'],
    [
      'registration: { mail_domains_denied: [Spam.example] }',
      'registration.mail_domains_denied must be a list of mail domains in lower case',
    ],
    [
      'registration: { mail_domains_allowed: [throwaway] }',
      'registration.mail_domains_allowed must be a list of mail domains in lower case',
    ],
    ['password: { min_length: 5 }', 'password.min_length must be a whole number from 6 to 64'],
    ['challenge: { mode: on }', 'challenge.mode must be one of off, auto, always'],
    ['challenge: { busy_share: 2 }', 'challenge.busy_share must be a number from 0 to 1'],
    [
      'registration: { reserved_names: [1234] }',
      'registration.reserved_names must be a list of names',
    ],
    ['desk: { instances: [ftp://x] }', 'desk.instances must be a list of at most 100 addresses'],
    ['desk: { instances: ["http://a:b@x:1"] }', 'desk.instances must be a list of at most 100'],
    ['desk: { instances: ["http://x:1/path"] }', 'desk.instances must be a list of at most 100'],
    ['day_max_reg: -1', 'day_max_reg must be a whole number of at least 0'],
    ['day_max_reg: "10"', 'day_max_reg must be a whole number of at least 0'],
    ['timezone: Mars/Olympus', 'timezone must be a time zone'],
    ['rate_limit: 300', 'rate_limit must be a group of settings'],
    [
      'withdraw: { gm_query_op: 10030 }',
      'withdraw.gm_query_op must not be 10030: that op deducts, so each query would deduct again',
    ],
    ['desk: { four_eyes_above: -1 }', 'desk.four_eyes_above must be a whole number of at least 0'],
    ['withdraw: { destination: shop }', 'withdraw.destination must be { zh: …, en: … }'],
    ['withdraw: { destination: { en: shop } }', 'withdraw.destination.zh must be a text'],
    ['withdraw: { min: 10, max: 5 }', 'withdraw.min must not be above withdraw.max'],
    ['game_database: { table: "actors; DROP TABLE" }', 'game_database.table must be a plain name'],
    ['game_database: { pattern: server }', 'game_database.pattern must be a database name'],
    ['game_client_url: javascript:alert(1)', 'game_client_url must be a URL'],
    ['support_url: javascript:alert(1)', 'support_url must be a URL that starts with https://'],
    ['privacy_url: http://example.com', 'privacy_url must be a URL'],
    ['notices: soon', 'notices must be a list of notices'],
    ['notices: [soon]', 'notices.0 must be a notice'],
    ['notices: [{ text: now }]', 'notices.0.text must be { zh: …, en: … }'],
    ['notices: [{ text: { en: now } }]', 'notices.0.text.zh must be a text'],
    [notice('level: bad'), 'notices.0.level must be info or warning'],
    [notice('from: 2026-11-20 02:00'), 'notices.0.from must be a time with its time zone'],
    [notice('until: 2026-11-31T02:61:00Z'), 'notices.0.until must be a time with its time zone'],
    [notice('link: "javascript:alert(1)"'), 'notices.0.link must be a URL'],
    [notice('colour: red'), 'notices.0.colour is not a known setting'],
    [
      notice('from: 2026-11-20T02:00:00Z, until: 2026-11-20T02:00:00+08:00'),
      'notices.0.from must be before its until',
    ],
    [`notices: [${'{ text: { zh: x, en: x } }, '.repeat(6)}]`, 'notices must contain at most 5'],
    ['events: [{ name: a b, url: "https://a.example" }]', 'events.0.name must be 1 to 32'],
    ['events: [{ name: a, url: "ftp://a.example" }]', 'events.0.url must be a URL'],
    ['events: [{ name: a, url: "https://me:pw@a.example" }]', 'events.0.url must be a URL'],
    ['events: [{ name: a, url: "http://a", types: [x] }]', 'events.0.types must be a list of'],
    [
      'events: [{ name: a, url: "http://a" }, { name: a, url: "http://b" }]',
      'events must give each endpoint its own name',
    ],
    ['legacy: { gone: [api] }', 'legacy.gone must be a list of paths'],
    ['deny_ip: [', 'Flow sequence'],
    ['deny_ip: *nowhere', 'nowhere'],
    [BOMB, 'alias'],
    ['deny_ip: [fe80::1%eth0/100]', 'deny_ip must be a list of addresses'],
    ['', 'sets nothing'],
    ['# deny_ip: [192.0.2.1]\n', 'sets nothing'],
    ['{}', 'sets nothing'],
    ['---\n', 'sets nothing'],
    ['defaults: false', 'defaults must be true'],
    ['- a list', 'must be a list of `name: value`'],
  ])('is rejected if it contains %j', (text, problem) => {
    expect(problemsOf(text).join('; ')).toContain(problem);
  });

  it('is rejected with a list of all problems', () => {
    expect(problemsOf('day_max_reg: x\ntimezone: y\nrate_limit: { per_minute: 0 }')).toHaveLength(
      3,
    );
  });
});
