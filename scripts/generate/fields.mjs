// Reads the fields of the configuration schemas, each with its name, default, rule, and the comment
// above the field in the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import ts from 'typescript';
import { EnvironmentSchema } from '../../dist/platform/config/environment.schema.js';
import { parseEnvironment } from '../../dist/platform/config/parse-environment.js';
import { DEFAULT_SETTINGS, SettingsValues } from '../../dist/platform/config/settings.schema.js';

const SCHEMAS = new URL('../../src/platform/config/', import.meta.url).pathname;
const comments = new Map(
  readdirSync(SCHEMAS)
    .filter((name) => name.endsWith('.schema.ts'))
    .flatMap((name) => commentsIn(name)),
);

export function environmentVariables() {
  const required = requiredVariables();
  return fieldsOf(new EnvironmentSchema()).map((field) => ({
    ...field,
    isRequired: required.has(field.name),
  }));
}

/** A group of settings has `fields` of its own. */
export function settings() {
  return fieldsOf(plainToInstance(SettingsValues, DEFAULT_SETTINGS));
}

function fieldsOf(instance) {
  return Object.entries(instance).map(([name, value]) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return {
      name,
      value,
      ...commentOn(instance, name),
      ...(isGroup ? { fields: fieldsOf(value) } : { rule: ruleOf(instance, name) }),
    };
  });
}

/** Returns the error message for an invalid value, without "must be". */
function ruleOf(instance, name) {
  const problemsWith = (value) =>
    validateSync(Object.assign(new instance.constructor(), { [name]: value }))
      .filter(({ property }) => property === name)
      .flatMap(({ constraints }) => Object.values(constraints ?? {}));
  const rules = new Set(problemsWith({}).map((text) => text.replace(/^.*?must (be )?/, '')));
  const orNull = !(instance instanceof EnvironmentSchema) && problemsWith(null).length === 0;
  return [...rules].join(', ') + (orNull ? ', or null' : '');
}

/** Returns the variables that are required if DATABASE_URL is set. */
function requiredVariables() {
  try {
    parseEnvironment({ DATABASE_URL: 'mysql://user:password@host/database' });
    return new Set();
  } catch ({ problems }) {
    return new Set(problems.map((problem) => problem.replace(/ must be set$/, '')));
  }
}

function commentOn(instance, name) {
  for (let type = instance.constructor; type.name; type = Object.getPrototypeOf(type)) {
    const comment = comments.get(`${type.name}.${name}`);
    if (comment) return comment;
  }
  throw new Error(`${instance.constructor.name}.${name} needs a comment that describes it`);
}

function commentsIn(name) {
  const text = readFileSync(join(SCHEMAS, name), 'utf8');
  const { statements } = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  return statements.filter(ts.isClassDeclaration).flatMap((type) =>
    type.members.flatMap((member) => {
      const [comment] = ts.getJSDocCommentsAndTags(member);
      if (!comment) return [];
      const tags = (comment.tags ?? []).map((tag) => [tag.tagName.text, tag.comment]);
      const about = { text: comment.comment, ...Object.fromEntries(tags) };
      return [[`${type.name.text}.${member.name.getText()}`, about]];
    }),
  );
}
