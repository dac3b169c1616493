import { environmentVariables, settings } from './fields.mjs';

const ENV_HEAD = `# Copy to .env. Without a .env, \`npm start\` runs on an embedded database and makes its own secrets.
# A line that is commented out shows the default, or an example where there is no default.
# With DATABASE_URL, the secrets are required, and no two may be equal. Create one with \`openssl rand -hex 32\`.
# Put a value with #, $, quotes or spaces into single quotes: SECRET='a #1 $ecret'. Without quotes, # and the rest are dropped.
# This file is generated from src/platform/config/environment.schema.ts (npm run generate).`;

const ENV_FOOT = `
# --- Only for Docker Compose ---

# Password of the MariaDB container, which is set when the volume is created. Use letters and digits, because the
# password becomes part of a URL.
MARIADB_PASSWORD=
# Password of the Redis container. Use letters and digits, too.
REDIS_PASSWORD=
`;

const SETTINGS_HEAD = `# Gatehouse: settings that operators change while the service runs.
#
# Every instance applies a change within 2 seconds, without a restart. A file with a mistake is refused: the log gives
# the reasons, and the last good settings stay in force. A key that is left out has the value shown here. A file that sets
# nothing at all is refused unless it says \`defaults: true\`. Times are in seconds. Numbers have their range in parentheses.
# The shipped file is generated from src/platform/config/settings.schema.ts (npm run generate); edit your own copy as you like.
`;

export function envExample() {
  const lines = environmentVariables().flatMap((variable) => {
    const { name, value, text, section, example, isRequired } = variable;
    return [
      ...(section ? ['', `# --- ${section} ---`, ''] : []),
      ...commentLines(text),
      `${isRequired ? '' : '#'}${name}=${example ?? value ?? variable.default}`,
    ];
  });
  return [ENV_HEAD, ...lines, ENV_FOOT].join('\n');
}

export function settingsFile() {
  const said = new Set();
  const blocks = settings().map((field) => linesOf(field, said).join('\n'));
  return [SETTINGS_HEAD, blocks.join('\n\n'), ''].join('\n');
}

/** Explains a repeated group only once. */
function linesOf({ name, value, text, rule, fields }, said) {
  const comment = said.has(text) ? [] : commentLines(text + rangeOf(rule));
  said.add(text);
  if (!fields) return [...comment, `${name}: ${inYaml(value)}`];
  const inner = fields.flatMap((field) => linesOf(field, said)).map((line) => `  ${line}`);
  return [...comment, `${name}:`, ...inner];
}

/**
 * Returns a hint such as " (1 to 10, or null)". Other rules are obvious from the value and the
 * text.
 */
function rangeOf(rule = '') {
  const [, range] = /^a whole number (?:from |of )(.*)$/.exec(rule) ?? [];
  return range ? ` (${range})` : '';
}

const commentLines = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => `# ${line}`);

/** Writes JSON, which is also valid YAML. */
const inYaml = (value) => JSON.stringify(value).replaceAll('","', '", "');
