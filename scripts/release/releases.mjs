// Reads and compares the records in releases/. `npm run release` writes them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isScalar, parseDocument, stringify, visit } from 'yaml';
import { openApiBreaks } from './openapi-breaks.mjs';

export const RELEASES = fileURLToPath(new URL('../../releases/', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+$/;
const LIMITS = /\((?:at least )?(\d+)(?: to (\d+))?(?:, or null)?\)/;

/** Returns the released versions, oldest first. */
export function releasedVersions(folder = RELEASES) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => VERSION.test(name)).toSorted(compareVersions);
}

/** Reads the newest release, and the configuration of every release. */
export function readReleases(folder = RELEASES) {
  const versions = releasedVersions(folder);
  const version = versions.at(-1);
  if (!version) throw new Error('releases/ has no release to compare with: run npm run release');
  const read = (file) => readFileSync(`${folder}/${file}`, 'utf8');
  return {
    newest: {
      version,
      openapi: JSON.parse(read(`${version}/openapi.json`)),
      metrics: JSON.parse(read(`${version}/metrics.json`)),
      commands: JSON.parse(read(`${version}/commands.json`)),
      migrations: JSON.parse(read(`${version}/migrations.json`)),
    },
    configurations: versions.map((of) => ({
      version: of,
      settings: read(`${of}/settings.yaml`),
      settingsInUse: read(`${of}/settings-in-use.yaml`),
      environment: read(`${of}/.env.example`),
    })),
  };
}

export function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = left.findIndex((part, at) => part !== right[at]);
  return index === -1 ? 0 : left[index] - right[index];
}

export function migrationBreaks(before, after) {
  return Object.entries(before).flatMap(([name, hash]) => {
    if (!after[name]) return [`the migration ${name} was removed`];
    return after[name] === hash ? [] : [`the migration ${name} was changed`];
  });
}

export function metricBreaks(before, after) {
  return Object.entries(before).flatMap(([name, { type, labels }]) => {
    const now = after[name];
    if (!now) return [`the metric ${name} was removed`];
    return [
      ...(now.type === type ? [] : [`the metric ${name} changed from ${type} to ${now.type}`]),
      ...labels
        .filter((label) => !now.labels.includes(label))
        .map((label) => `the metric ${name} lost the label ${label}`),
    ];
  });
}

export function commandBreaks(before, after) {
  return Object.entries(before).flatMap(([name, old]) => {
    const command = `gatehouse ${name}`;
    const now = after[name];
    if (!now) return [`${command} was removed`];
    return [...argumentBreaks(command, old, now), ...optionBreaks(command, old, now)];
  });
}

/** Compares arguments by position, because renaming an argument breaks nothing. */
function argumentBreaks(command, { arguments: before }, { arguments: after }) {
  return [
    ...before.flatMap((old, index) => {
      const now = after[index];
      const place = `${command} <${old.name}>`;
      if (!now) return [`${place} was removed`];
      return [
        ...(now.required && !old.required ? [`${place} became required`] : []),
        ...(old.several && !now.several ? [`${place} takes only one value`] : []),
        ...choiceBreaks(place, old, now),
      ];
    }),
    ...after
      .slice(before.length)
      .filter(({ required }) => required)
      .map(({ name }) => `${command} <${name}> is new and required`),
  ];
}

function optionBreaks(command, { options: before }, { options: after }) {
  return [
    ...Object.entries(before).flatMap(([name, old]) => {
      const now = after[name];
      const place = `${command} ${name}`;
      if (!now) return [`${place} was removed`];
      return [
        ...(now.required && !old.required ? [`${place} became required`] : []),
        ...(formOf(now) === formOf(old)
          ? []
          : [`${place} changed from "${old.flags}" to "${now.flags}"`]),
        ...choiceBreaks(place, old, now),
      ];
    }),
    ...Object.entries(after)
      .filter(([name, { required }]) => required && !before[name])
      .map(([name]) => `${command} ${name} is new and required`),
  ];
}

/** Replaces the name of an option's value, such as `id` in `--server <id>`, because renaming it breaks nothing. */
const formOf = ({ flags }) => flags.replaceAll(/[\w-]+(?=(\.\.\.)?[>\]])/g, 'value');

function choiceBreaks(place, { choices: old }, { choices: now }) {
  if (!now) return [];
  if (!old) return [`${place} accepts only ${now.join(', ')}`];
  return old
    .filter((choice) => !now.includes(choice))
    .map((choice) => `${place} no longer accepts ${choice}`);
}

/**
 * Checks that the current parser accepts the shipped file of a release, the limits in the file's
 * comments, and a file that sets everything that the shipped file leaves empty.
 */
export function settingsBreaks({ version, settings, settingsInUse }, parse) {
  const place = `settings.yaml of ${version}`;
  const shipped = problemsWith(() => parse(settings));
  return [
    ...shipped.map((problem) => `${place}: ${problem}`),
    ...problemsWith(() => parse(settingsInUse)).map(
      (problem) => `settings-in-use.yaml of ${version}: ${problem}`,
    ),
    ...limitsIn(settings).flatMap(({ path, value }) => {
      const only = path.reduceRight((inner, key) => ({ [key]: inner }), value);
      return (
        problemsWith(() => parse(stringify(only)))
          .filter((problem) => problem.startsWith(`${path.join('.')} `))
          // A limit may contradict the default of another setting.
          .filter((problem) => !shipped.includes(problem) && !/ must not be above /.test(problem))
          .map((problem) => `${place}: ${problem}, not ${value}`)
      );
    }),
  ];
}

/**
 * Finds comments such as `(1 to 10)` above a number. The parser assigns a comment above the first key of a group to the
 * group.
 */
function limitsIn(settings) {
  const limits = [];
  visit(parseDocument(settings), {
    Pair(index, { key, value }, ancestors) {
      const comment = key.commentBefore ?? (index === 0 ? ancestors.at(-1).commentBefore : '');
      const path = [...ancestors.flatMap((node) => node.key?.value ?? []), key.value];
      if (!isScalar(value)) return;
      for (const limit of LIMITS.exec(comment ?? '')?.slice(1) ?? [])
        if (limit !== undefined) limits.push({ path, value: Number(limit) });
    },
  });
  return limits;
}

/**
 * Checks that the current parser accepts the `.env` of a release, with only the required variables
 * and with all examples. The parser ignores unknown variables, so the names are compared
 * separately.
 */
export function environmentBreaks({ version, environment }, now, parse) {
  const place = `.env of ${version}`;
  const known = new Set(variablesIn(now, /^#?/).keys());
  const all = variablesIn(environment, /^#?/);
  const required = variablesIn(environment, /^/);
  const inUse = (variables) => ({
    ...Object.fromEntries(
      [...variables].map(([name, value]) => [name, withoutPlaceholder(name, value)]),
    ),
    DATABASE_URL: 'mysql://gatehouse:password@127.0.0.1:3306/gatehouse',
  });
  return [
    ...[...all.keys()]
      .filter((name) => !known.has(name))
      .map((name) => `${place}: ${name} is unknown`),
    ...new Set(
      [required, all]
        .flatMap((variables) => problemsWith(() => parse(inUse(variables))))
        .map((problem) => `${place}: ${problem}`),
    ),
  ];
}

function variablesIn(text, start) {
  const line = new RegExp(`${start.source}([A-Z][A-Z0-9_]*)=(.*)$`, 'gm');
  return new Map([...text.matchAll(line)].map(([, name, value]) => [name, value]));
}

/** Replaces a placeholder with a valid value, because the parser rejects placeholders. */
function withoutPlaceholder(name, value) {
  const key = Buffer.from(name.padEnd(32, '.')).toString('base64');
  return value
    .replace(/whsec_replace-with[\w-]*/, `whsec_${key}`)
    .replace(/^replace-with[\w-]*$/, key);
}

function problemsWith(parse) {
  try {
    parse();
    return [];
  } catch (error) {
    if (!Array.isArray(error.problems)) throw error;
    return error.problems;
  }
}

/**
 * Compares a tree with the newest release, and its parsers with the configuration of every release.
 * Returns the breaks of each part, each with the release that it breaks.
 */
export function allBreaks({ newest, configurations }, surface, { parseSettings, ...env }) {
  const of = (release, breaks) => breaks.map((what) => ({ release, what }));
  const since = (compare, part) => of(newest.version, compare(newest[part], surface[part]));
  return {
    migrations: since(migrationBreaks, 'migrations'),
    openapi: since(openApiBreaks, 'openapi'),
    metrics: since(metricBreaks, 'metrics'),
    commands: since(commandBreaks, 'commands'),
    settings: configurations.flatMap((one) => of(one.version, settingsBreaks(one, parseSettings))),
    environment: configurations.flatMap((one) =>
      of(one.version, environmentBreaks(one, env.environment, env.parseEnvironment)),
    ),
  };
}

/** Describes the breaks that releases/breaks.json does not list for a major version. */
export function unacceptedBreaks(found, listed, version) {
  return found.flatMap(({ release, what }) => {
    const entry = listed.find((one) => one.what === what);
    if (!entry) return [`releases/breaks.json does not list this break of ${release}: ${what}`];
    if (majorOf(entry.since) > majorOf(release) && isReached(entry.since, version)) return [];
    return [`only a major version after ${release} may break this: ${what}`];
  });
}

/** Describes the entries of releases/breaks.json that are incomplete or match no break. */
export function wrongEntries(found, listed, version) {
  return listed.flatMap(({ what, reason, since }) => [
    ...(reason?.trim() ? [] : [`${what}: give a reason`]),
    ...(isReached(since, version) ? [] : [`${what}: "since" must be at most ${version}`]),
    ...(found.some((one) => one.what === what) ? [] : [`${what}: nothing breaks this; remove it`]),
  ]);
}

const majorOf = (version) => Number(version.split('.')[0]);
const isReached = (since, version) => VERSION.test(since) && compareVersions(since, version) <= 0;
