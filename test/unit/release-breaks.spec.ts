import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Argument, Command, Option } from 'commander';
import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/platform/config/configuration-error.js';
import { parseEnvironment } from '../../src/platform/config/parse-environment.js';
import { parseSettings } from '../../src/platform/config/parse-settings.js';
import type { Migration } from '../../src/platform/database/migrations/dialect.js';
// @ts-expect-error The scripts have no types.
import * as releases from '../../scripts/release/releases.mjs';
// @ts-expect-error The scripts have no types.
import { describeSurface } from '../../scripts/release/surface.mjs';
import { readDocument } from '../support/documents/source-code.js';

interface Service {
  registry: Registry;
  program: Command;
  statements: Record<string, string[]>;
}

/** Returns a service with one metric, two commands and two migrations. */
function smallService(): Service {
  const registry = new Registry();
  new Counter({
    name: 'gatehouse_mails_total',
    help: 'x',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const program = new Command('gatehouse');
  const player = program.command('player');
  player
    .command('ban')
    .argument('<id>', 'x')
    .argument('[days]', 'x')
    .requiredOption('--by <name>', 'x')
    .option('--note <text>', 'x')
    .addOption(new Option('--as <kind>', 'x').choices(['short', 'long']));
  player.command('show').argument('<who...>', 'x');
  return {
    registry,
    program,
    statements: { First1: ['CREATE TABLE a'], Second2: ['ALTER TABLE a'] },
  };
}

function surfaceOf({ registry, program, statements }: Service) {
  const migrations = Object.keys(statements).map((name) => ({ name }));
  const plannedStatements = ({ name }: Migration, type: string) =>
    Promise.resolve([...statements[name]!, type]);
  const document = { paths: {} };
  return describeSurface({ document, registry, program, migrations, plannedStatements });
}

const ban = ({ program }: Service) => program.commands[0]!.commands[0]!;
const option = (service: Service, name: string) =>
  ban(service).options.find(({ long }) => long === name)!;
const parse = {
  settings: (text: string) => parseSettings(text, 'settings.yaml'),
  environment: parseEnvironment,
};

describe('The comparison with a release', () => {
  it.each<[string, (service: Service) => unknown]>([
    ['the migration First1 was removed', ({ statements }) => delete statements.First1],
    [
      'the migration First1 was changed',
      ({ statements }) => statements.First1!.push('DROP TABLE b'),
    ],
    [
      'the metric gatehouse_mails_total was removed',
      ({ registry }) => registry.removeSingleMetric('gatehouse_mails_total'),
    ],
    [
      'the metric gatehouse_mails_total changed from counter to gauge',
      ({ registry }) => {
        registry.clear();
        const labelNames = ['kind', 'outcome'];
        new Gauge({ name: 'gatehouse_mails_total', help: 'x', labelNames, registers: [registry] });
      },
    ],
    [
      'the metric gatehouse_mails_total lost the label kind',
      ({ registry }) => {
        registry.clear();
        const labelNames = ['outcome'];
        new Counter({
          name: 'gatehouse_mails_total',
          help: 'x',
          labelNames,
          registers: [registry],
        });
      },
    ],
    ['gatehouse player ban was removed', (service) => ban(service).name('lock')],
    [
      'gatehouse player ban <days> was removed',
      (service) => (ban(service).registeredArguments as Argument[]).pop(),
    ],
    [
      'gatehouse player ban <days> became required',
      (service) => (ban(service).registeredArguments[1]!.required = true),
    ],
    [
      'gatehouse player ban <why> is new and required',
      (service) => ban(service).argument('<why>', 'x'),
    ],
    [
      'gatehouse player ban <id> accepts only 1, 2',
      (service) => ban(service).registeredArguments[0]!.choices(['1', '2']),
    ],
    [
      'gatehouse player show <who> takes only one value',
      ({ program }) => (program.commands[0]!.commands[1]!.registeredArguments[0]!.variadic = false),
    ],
    [
      'gatehouse player ban --note was removed',
      (service) => (option(service, '--note').long = '--text'),
    ],
    [
      'gatehouse player ban --note became required',
      (service) => (option(service, '--note').mandatory = true),
    ],
    [
      'gatehouse player ban --at is new and required',
      (service) => ban(service).requiredOption('--at <time>', 'x'),
    ],
    [
      'gatehouse player ban --note changed from "--note <text>" to "--note"',
      (service) => (option(service, '--note').flags = '--note'),
    ],
    [
      'gatehouse player ban --as no longer accepts long',
      (service) => option(service, '--as').choices(['short', 'forever']),
    ],
  ])('finds that %s', async (sentence, change) => {
    const service = smallService();
    const before = await surfaceOf(service);
    change(service);
    expect(await breaksBetween(before, service)).toEqual([sentence]);
  });

  it('allows new migrations, metrics, labels, commands, arguments, options and choices', async () => {
    const service = smallService();
    const before = await surfaceOf(service);
    service.statements.Third3 = ['CREATE TABLE c'];
    service.registry.clear();
    const labelNames = ['kind', 'outcome', 'language'];
    const registers = [service.registry];
    new Counter({ name: 'gatehouse_mails_total', help: 'y', labelNames, registers });
    new Counter({ name: 'gatehouse_new', help: 'x', registers });
    ban(service).argument('[why]', 'x').option('--at <time>', 'x');
    service.program.command('new').argument('<id>', 'x').requiredOption('--by <name>', 'x');
    option(service, '--note').flags = '--note <reason>';
    option(service, '--as').choices(['short', 'long', 'forever']);
    expect(await breaksBetween(before, service)).toEqual([]);
  });

  async function breaksBetween(before: unknown, service: Service): Promise<string[]> {
    const recorded = { newest: { version: '1.0.0', ...(before as object) }, configurations: [] };
    const breaks = releases.allBreaks(recorded, await surfaceOf(service), {
      parseSettings: parse.settings,
      parseEnvironment,
      environment: '',
    });
    return (Object.values(breaks).flat() as Array<{ what: string }>).map(({ what }) => what);
  }
});

describe('A released settings file', () => {
  const shipped = readDocument('config/settings.yaml');
  const inUse = readDocument('scripts/release/settings-in-use.yaml');
  const breaksOf = (
    settings: string,
    parser: (text: string) => unknown = parse.settings,
    settingsInUse = inUse,
  ) => releases.settingsBreaks({ version: '1.0.0', settings, settingsInUse }, parser);

  it('is accepted as shipped and at its limits', () => {
    const offered: string[] = [];
    const parser = (text: string) => {
      offered.push(text);
      return parse.settings(text);
    };
    expect(breaksOf(shipped, parser)).toEqual([]);
    expect(offered.length).toBeGreaterThan(30);
    for (const line of [
      'max_lock: 1209600',
      'day_max_reg: 0',
      'min_length: 64',
      'difficulty: 1000',
    ])
      expect(offered.some((text) => text.includes(`${line}\n`))).toBe(true);
  });

  it('is accompanied by one that sets everything that is empty in the shipped file', () => {
    const emptyIn = (values: object, path = ''): string[] =>
      Object.entries(values).flatMap(([name, value]) => {
        if (value === null || value?.length === 0) return [`${path}${name}`];
        return typeof value === 'object' && !Array.isArray(value)
          ? emptyIn(value, `${path}${name}.`)
          : [];
      });
    const limits = ['day_max_reg', 'registration.per_address_day'];
    const retention = ['chat.retention_days', 'login_events.retention_days'];
    expect(emptyIn(parse.settings('defaults: true'))).toContain('withdraw.destination');
    expect(emptyIn(parse.settings(inUse))).toEqual([...limits, ...retention]);
  });

  it('breaks if an event type is no longer known', () => {
    const other = inUse.replace('player.renamed', 'player.painted');
    expect(breaksOf(shipped, parse.settings, other)).toEqual([
      expect.stringMatching(
        /^settings-in-use\.yaml of 1\.0\.0: events\.0\.types must be a list of /,
      ),
    ]);
  });

  it('breaks if a setting is no longer known', () => {
    expect(breaksOf(`${shipped}\ncolour: red\n`)).toEqual([
      'settings.yaml of 1.0.0: colour is not a known setting',
    ]);
  });

  it('breaks if a value is no longer accepted', () => {
    expect(breaksOf(shipped.replace('mode: "auto"', 'mode: "sometimes"'))).toEqual([
      'settings.yaml of 1.0.0: challenge.mode must be one of off, auto, always',
    ]);
  });

  it('breaks if a limit is no longer accepted', () => {
    expect(breaksOf(shipped.replace('(6 to 64)', '(4 to 80)'))).toEqual([
      'settings.yaml of 1.0.0: password.min_length must be a whole number from 6 to 64, not 4',
      'settings.yaml of 1.0.0: password.min_length must be a whole number from 6 to 64, not 80',
    ]);
  });
});

describe('A released .env', () => {
  const today = readDocument('.env.example');
  const breaksOf = (environment: string, parser: object = parseEnvironment) =>
    releases.environmentBreaks({ version: '1.0.0', environment }, today, parser);

  it('is accepted with the required variables, and with all examples', () => {
    const offered: Array<Record<string, string>> = [];
    const parser = (variables: Record<string, string>) => {
      offered.push(variables);
      return parseEnvironment(variables);
    };
    expect(breaksOf(today, parser)).toEqual([]);
    const [required, all] = offered;
    expect(Object.keys(required!)).toEqual(expect.arrayContaining(['JWT_SECRET', 'DATABASE_URL']));
    expect(required).not.toHaveProperty('FORUM_CLIENT_ID');
    expect(all).toMatchObject({ FORUM_CLIENT_ID: 'gatehouse', LOG_LEVEL: 'info' });
  });

  it('breaks if a variable is no longer known', () => {
    expect(breaksOf(`${today}\n#COLOUR=red\n`)).toEqual(['.env of 1.0.0: COLOUR is unknown']);
  });

  it('breaks if a value is no longer accepted', () => {
    expect(breaksOf(today.replace('#LOG_LEVEL=info', '#LOG_LEVEL=loud'))).toEqual([
      expect.stringMatching(/^\.env of 1\.0\.0: LOG_LEVEL must be one of fatal, /),
    ]);
  });

  it('breaks if another variable becomes required', () => {
    const parser = () => {
      throw new ConfigurationError('environment', ['COLOUR must be set']);
    };
    expect(breaksOf(today, parser)).toEqual(['.env of 1.0.0: COLOUR must be set']);
  });
});

describe('releases/breaks.json', () => {
  const found = [{ release: '1.4.0', what: 'GET /pay was removed' }];
  const entry = { what: 'GET /pay was removed', reason: 'nobody pays', since: '2.0.0' };

  it.each([
    ['a break that it does not list', [], '2.0.0', /does not list this break of 1\.4\.0: GET/],
    ['a break in a minor version', [{ ...entry, since: '1.5.0' }], '1.5.0', /only a major version/],
    ['a break in a future version', [entry], '1.9.0', /only a major version/],
  ])('does not allow %s', (_, listed, version, problem) => {
    const problems = releases.unacceptedBreaks(found, listed, version);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('allows a listed break in a major version and all later ones', () => {
    for (const version of ['2.0.0', '2.10.1', '3.0.0']) {
      expect(releases.unacceptedBreaks(found, [entry], version)).toEqual([]);
      expect(releases.wrongEntries(found, [entry], version)).toEqual([]);
    }
  });

  it.each([
    ['without a reason', { ...entry, reason: ' ' }, /give a reason/],
    ['without a version', { ...entry, since: 'soon' }, /"since" must be at most 2\.0\.0/],
    ['for a future version', { ...entry, since: '2.0.1' }, /"since" must be at most 2\.0\.0/],
    ['that matches nothing', { ...entry, what: 'GET /play was removed' }, /nothing breaks this/],
  ])('must have no entry %s', (_, wrong, problem) => {
    expect(releases.wrongEntries(found, [wrong], '2.0.0')).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});

describe('Without any release', () => {
  it('there is nothing to compare with, and the checks fail', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-releases-'));
    const sentence = 'releases/ has no release to compare with: run npm run release';
    expect(() => releases.readReleases(folder)).toThrow(sentence);
    rmSync(folder, { recursive: true });
    expect(() => releases.readReleases(folder)).toThrow(sentence);
  });
});
