// Finds the changes to an OpenAPI description that break existing clients. A request must accept all
// earlier values. A response must keep all fields and their types, but clients must expect new
// fields, new values of an enum and new errors.

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const ANNOTATIONS = ['description', 'example', 'examples', 'title', 'default', 'deprecated'];
const STRUCTURE = [
  '$ref',
  'type',
  'enum',
  'properties',
  'required',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
];
/** Contains the default values of rules that a schema omits. */
const DEFAULTS = { additionalProperties: true, uniqueItems: false };
/** A request breaks if a lower bound rises or an upper bound falls. The second item replaces a missing bound. */
const BOUNDS = {
  minimum: [1, -Infinity],
  minLength: [1, 0],
  minItems: [1, 0],
  maximum: [-1, Infinity],
  maxLength: [-1, Infinity],
  maxItems: [-1, Infinity],
};

/** Returns each break once, as a sentence. Breaks of a shared schema are named after the schema. */
export function openApiBreaks(before, after) {
  const operations = new Map(operationsOf(after));
  const breaks = operationsOf(before).flatMap(([name, old]) => {
    const now = operations.get(name);
    if (!now) return [`${name} was removed`];
    return [
      ...(isPublic(old) && !isPublic(now) ? [`${name} needs a token`] : []),
      ...parameterBreaks(name, old, now, new Pair(before, after, 'request')),
      ...bodyBreaks(name, old, now, new Pair(before, after, 'request')),
      ...answerBreaks(name, old, now, new Pair(before, after, 'answer')),
    ];
  });
  return [...new Set(breaks)];
}

const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => [
      `${method.toUpperCase()} ${path}`,
      item[method],
    ]),
  );

const isPublic = ({ security = [] }) =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0);

function parameterBreaks(name, old, now, pair) {
  const nameOf = (parameter) => `${parameter.in} parameter ${parameter.name}`;
  const found = (list = [], wanted) => list.find((one) => nameOf(one) === nameOf(wanted));
  return [
    ...(old.parameters ?? []).flatMap((parameter) => {
      const other = found(now.parameters, parameter);
      const place = `${name}: the ${nameOf(parameter)}`;
      if (!other) return [`${place} was removed`];
      return [
        ...(other.required && !parameter.required ? [`${place} became required`] : []),
        ...pair.compare(parameter.schema, other.schema, place),
      ];
    }),
    ...(now.parameters ?? [])
      .filter((parameter) => parameter.required && !found(old.parameters, parameter))
      .map((parameter) => `${name}: the ${nameOf(parameter)} is new and required`),
  ];
}

function bodyBreaks(name, { requestBody: old }, { requestBody: now }, pair) {
  if (!old) return now?.required ? [`${name}: a body is new and required`] : [];
  if (!now) return [`${name}: the body was removed`];
  return [
    ...(now.required && !old.required ? [`${name}: the body became required`] : []),
    ...contentBreaks(`${name}: the body`, old, now, pair),
  ];
}

function answerBreaks(name, { responses: old }, { responses: now }, pair) {
  return Object.entries(old).flatMap(([status, answer]) => {
    const place = `${name}: the answer ${status}`;
    const other = now[status];
    const lost = errorsOf(answer).filter((error) => !errorsOf(other).includes(error));
    const errors = lost.map((error) => `${name}: the error ${error} was removed`);
    if (!other) return errors.length > 0 ? errors : [`${place} was removed`];
    const headers = Object.keys(answer.headers ?? {}).filter((header) => !other.headers?.[header]);
    return [
      ...errors,
      ...headers.map((header) => `${place}: the header ${header} was removed`),
      ...contentBreaks(place, answer, other, pair),
    ];
  });
}

/** Returns errors such as `not_found (40400)`, which `openapi.ts` lists beside the schema of all errors. */
function errorsOf(answer) {
  const parts = answer?.content?.['application/json']?.schema?.allOf ?? [];
  return parts.flatMap(({ properties: { error, code } = {} }) =>
    (error?.enum ?? []).map((name, index) => `${name} (${code.enum[index]})`),
  );
}

const contentBreaks = (place, { content: old = {} }, { content: now = {} }, pair) =>
  Object.entries(old).flatMap(([type, { schema }]) =>
    now[type] ? pair.compare(schema, now[type].schema, place) : [`${place}: ${type} was removed`],
  );

/** Compares the schemas of two documents, for requests or for responses. */
class Pair {
  #underWay = new Set();

  constructor(before, after, direction) {
    this.before = before;
    this.after = after;
    this.isRequest = direction === 'request';
  }

  compare(old = {}, now = {}, place) {
    const [shared, other] = [sharedName(old), sharedName(now)];
    const side = this.isRequest ? 'requests' : 'answers';
    const at = shared && shared === other ? `${side}: ${shared}` : place;
    // A schema may contain itself.
    const both = `${shared} ${other}`;
    if (shared && this.#underWay.has(both)) return [];
    this.#underWay.add(both);
    const olds = alternatives(old, this.before);
    const nows = alternatives(now, this.after);
    const breaks = this.isRequest
      ? olds.flatMap((one) => fewest(nows.map((many) => this.#compareOne(one, many, at))))
      : nows.flatMap((one) => fewest(olds.map((many) => this.#compareOne(many, one, at))));
    this.#underWay.delete(both);
    return breaks;
  }

  #compareOne(old, now, at) {
    const type = this.#typeBreak(old.type, now.type, at);
    if (type) return [type];
    return [
      ...this.#fieldBreaks(old, now, at),
      ...(old.items || now.items ? this.compare(old.items, now.items, `${at}[]`) : []),
      ...(this.isRequest
        ? [...valueBreaks(old, now, at), ...ruleBreaks(old, now, at)]
        : formatBreaks(old, now, at)),
    ];
  }

  #typeBreak(old, now, at) {
    const [narrow, wide] = this.isRequest ? [old, now] : [now, old];
    if (wide === undefined || narrow === wide) return undefined;
    if (narrow === 'integer' && wide === 'number') return undefined;
    if (narrow === 'null') return `${at} ${this.isRequest ? 'no longer accepts' : 'may be'} null`;
    return `${at} changed from ${old ?? 'any type'} to ${now ?? 'any type'}`;
  }

  #fieldBreaks(old, now, at) {
    const [fields, others] = [old.properties ?? {}, now.properties ?? {}];
    const isRequired = (schema, name) => schema.required?.includes(name) ?? false;
    return [
      ...Object.keys(fields).flatMap((name) => {
        const field = `${at}.${name}`;
        if (!others[name]) return [`${field} was removed`];
        const [from, to] = [isRequired(old, name), isRequired(now, name)];
        return [
          ...(this.isRequest && !from && to ? [`${field} became required`] : []),
          ...(!this.isRequest && from && !to ? [`${field} became optional`] : []),
          ...this.compare(fields[name], others[name], field),
        ];
      }),
      ...Object.keys(others)
        .filter((name) => this.isRequest && !fields[name] && isRequired(now, name))
        .map((name) => `${at}.${name} is new and required`),
    ];
  }
}

const schemaName = ({ $ref }) => $ref?.split('/').at(-1);
const sharedName = (schema) => schemaName(schema) ?? schemaName(schema.allOf?.[0] ?? {});

/** Returns the alternative schemas of a value, such as string and null, with all references resolved. */
function alternatives(schema, document) {
  if (schema.$ref) return alternatives(document.components.schemas[schemaName(schema)], document);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice) => alternatives(choice, document));
  if (schema.allOf) return alternatives(merged(schema, document), document);
  if (!Array.isArray(schema.type)) return [schema];
  return schema.type.map((type) => (type === 'null' ? { type } : { ...schema, type }));
}

function merged({ allOf, ...rest }, document) {
  const parts = [...allOf.flatMap((part) => alternatives(part, document)), rest];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

const fewest = (lists) => lists.reduce((best, list) => (list.length < best.length ? list : best));

function valueBreaks({ enum: old }, { enum: now }, at) {
  if (!now) return [];
  if (!old) return [`${at} accepts only ${now.join(', ')}`];
  return old
    .filter((value) => !now.includes(value))
    .map((value) => `${at} no longer accepts ${value}`);
}

function ruleBreaks(old, now, at) {
  const names = Object.keys(now).filter((name) => ![...ANNOTATIONS, ...STRUCTURE].includes(name));
  return names.flatMap((name) => {
    const [sign, none] = BOUNDS[name] ?? [];
    const isNarrower = sign
      ? sign * (now[name] - (old[name] ?? none)) > 0
      : JSON.stringify(now[name]) !== JSON.stringify(old[name] ?? DEFAULTS[name]);
    return isNarrower
      ? [`${at} has another ${name}: ${old[name] ?? 'none'} became ${now[name]}`]
      : [];
  });
}

const formatBreaks = ({ format: old }, { format: now }, at) =>
  old && old !== now ? [`${at} changed its format from ${old} to ${now ?? 'any'}`] : [];
