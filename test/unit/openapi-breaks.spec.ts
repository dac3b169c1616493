import { describe, expect, it } from 'vitest';
// @ts-expect-error The scripts have no types.
import { openApiBreaks } from '../../scripts/release/openapi-breaks.mjs';

type Document = ReturnType<typeof description>;

/** Returns a small description with each construct that the service's own description has. */
function description() {
  const json = (schema: object) => ({ 'application/json': { schema } });
  const failure = (names: string[], codes: number[]) => ({
    content: json({
      allOf: [
        { $ref: '#/components/schemas/ErrorView' },
        { properties: { code: { enum: codes }, error: { enum: names } } },
      ],
    }),
    headers: { 'Retry-After': { schema: { type: 'integer' } } } as Record<string, object>,
  });
  return {
    paths: {
      '/pay': {
        get: {
          parameters: [
            {
              name: 'limit',
              in: 'query',
              required: false,
              schema: { type: 'integer', maximum: 9 },
            },
          ] as Array<Record<string, unknown>>,
          security: [{}, { bearer: [] }] as object[],
          responses: {
            200: {
              content: json({
                type: 'object',
                properties: { pay: { $ref: '#/components/schemas/PayView' } },
              }),
            },
            304: {},
            404: failure(['not_found', 'gone'], [40400, 40401]),
          } as Record<string, ReturnType<typeof failure> | { content?: object }>,
        },
        post: {
          requestBody: { required: false, content: json({ $ref: '#/components/schemas/PayDto' }) },
          responses: { 200: { content: { 'text/html': { schema: { type: 'string' } } } } },
        } as Record<string, unknown> & { requestBody: { required: boolean; content: object } },
        delete: { responses: {} } as Record<string, unknown>,
      } as Record<string, unknown>,
    },
    components: {
      schemas: {
        PayDto: {
          type: 'object',
          required: ['amount'],
          properties: {
            amount: { type: 'integer', minimum: 1, maximum: 100 },
            note: { type: ['string', 'null'], minLength: 1, maxLength: 64, pattern: '^a' },
            way: { type: 'string', enum: ['card', 'cash'] },
            tags: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 8 } },
            id: { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] },
            any: { type: 'object', additionalProperties: true },
          },
        },
        PayView: {
          type: 'object',
          required: ['id', 'at', 'state', 'parts', 'ban'],
          properties: {
            id: { type: 'integer' },
            at: { type: 'string', format: 'date-time' },
            state: { type: 'string', enum: ['new', 'done'] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/PayView' } },
            ban: { anyOf: [{ $ref: '#/components/schemas/BanView' }, { type: 'null' }] },
            reason: { type: 'string' },
          },
        },
        BanView: {
          type: 'object',
          required: ['until'],
          properties: { until: { type: 'string' } },
        },
        ErrorView: {
          type: 'object',
          required: ['code', 'error', 'request_id'],
          properties: {
            code: { type: 'integer' },
            error: { type: 'string' },
            request_id: { type: 'string' },
          },
        },
      } as Record<
        string,
        { required: string[]; properties: Record<string, Record<string, unknown>> }
      >,
    },
  };
}

// These functions return the parts of the description that the changes below replace.
const get = ({ paths }: Document) =>
  paths['/pay'].get as {
    parameters: Array<Record<string, unknown>>;
    security: object[];
    responses: Record<
      string,
      { content: Record<string, { schema: { allOf: object[] } }>; headers: object }
    >;
  };
const post = ({ paths }: Document) =>
  paths['/pay'].post as { requestBody: { required: boolean; content: Record<string, object> } };
const dto = ({ components }: Document) => components.schemas.PayDto!;
const view = ({ components }: Document) => components.schemas.PayView!;
const field = (schema: { properties: Record<string, Record<string, unknown>> }, name: string) =>
  schema.properties[name]!;
const without = (list: string[], name: string) => list.filter((one) => one !== name);

function breaksOf(change: (document: Document) => unknown): string[] {
  const after = description();
  change(after);
  return openApiBreaks(description(), after);
}

describe('openApiBreaks', () => {
  it.each<[string, (document: Document) => unknown]>([
    ['GET /pay was removed', ({ paths }) => Reflect.deleteProperty(paths['/pay'], 'get')],
    ['GET /pay needs a token', (d) => (get(d).security = [{ bearer: [] }])],
    ['GET /pay: the query parameter limit was removed', (d) => (get(d).parameters = [])],
    [
      'GET /pay: the query parameter limit became required',
      (d) => (get(d).parameters[0]!.required = true),
    ],
    [
      'GET /pay: the query parameter limit has another maximum: 9 became 5',
      (d) => (get(d).parameters[0]!.schema = { type: 'integer', maximum: 5 }),
    ],
    [
      'GET /pay: the header parameter key is new and required',
      (d) => get(d).parameters.push({ name: 'key', in: 'header', required: true, schema: {} }),
    ],
    ['POST /pay: the body became required', (d) => (post(d).requestBody.required = true)],
    ['POST /pay: the body was removed', (d) => Reflect.deleteProperty(post(d), 'requestBody')],
    [
      'POST /pay: the body: application/json was removed',
      (d) => (post(d).requestBody.content = { 'text/plain': {} }),
    ],
    [
      'DELETE /pay: a body is new and required',
      ({ paths }) =>
        Object.assign(paths['/pay'].delete as object, post(description()), {
          requestBody: { required: true, content: {} },
        }),
    ],
    ['requests: PayDto.note was removed', (d) => delete dto(d).properties.note],
    ['requests: PayDto.note became required', (d) => dto(d).required.push('note')],
    [
      'requests: PayDto.key is new and required',
      (d) => {
        dto(d).required.push('key');
        dto(d).properties.key = { type: 'string' };
      },
    ],
    [
      'requests: PayDto.note no longer accepts null',
      (d) => (field(dto(d), 'note').type = 'string'),
    ],
    ['requests: PayDto.way no longer accepts cash', (d) => (field(dto(d), 'way').enum = ['card'])],
    ['requests: PayDto.amount accepts only 1, 2', (d) => (field(dto(d), 'amount').enum = [1, 2])],
    [
      'requests: PayDto.amount changed from integer to string',
      (d) => (field(dto(d), 'amount').type = 'string'),
    ],
    [
      'requests: PayDto.amount has another minimum: 1 became 2',
      (d) => (field(dto(d), 'amount').minimum = 2),
    ],
    [
      'requests: PayDto.amount has another maximum: 100 became 99',
      (d) => (field(dto(d), 'amount').maximum = 99),
    ],
    [
      'requests: PayDto.note has another minLength: 1 became 2',
      (d) => (field(dto(d), 'note').minLength = 2),
    ],
    [
      'requests: PayDto.note has another maxLength: 64 became 20',
      (d) => (field(dto(d), 'note').maxLength = 20),
    ],
    [
      'requests: PayDto.way has another maxLength: none became 20',
      (d) => (field(dto(d), 'way').maxLength = 20),
    ],
    [
      'requests: PayDto.tags has another minItems: none became 1',
      (d) => (field(dto(d), 'tags').minItems = 1),
    ],
    [
      'requests: PayDto.tags has another maxItems: 5 became 4',
      (d) => (field(dto(d), 'tags').maxItems = 4),
    ],
    [
      'requests: PayDto.tags[] has another maxLength: 8 became 7',
      (d) => (field(dto(d), 'tags').items = { type: 'string', maxLength: 7 }),
    ],
    [
      'requests: PayDto.note has another pattern: ^a became ^b',
      (d) => (field(dto(d), 'note').pattern = '^b'),
    ],
    [
      'requests: PayDto.way has another pattern: none became ^b',
      (d) => (field(dto(d), 'way').pattern = '^b'),
    ],
    [
      'requests: PayDto.amount has another multipleOf: none became 5',
      (d) => (field(dto(d), 'amount').multipleOf = 5),
    ],
    [
      'requests: PayDto.note has another uniqueItems: none became true',
      (d) => (field(dto(d), 'note').uniqueItems = true),
    ],
    [
      'requests: PayDto.any has another additionalProperties: true became false',
      (d) => (field(dto(d), 'any').additionalProperties = false),
    ],
    [
      'requests: PayDto.id changed from integer to string',
      (d) => (field(dto(d), 'id').oneOf = [{ type: 'string' }]),
    ],
    [
      'GET /pay: the answer 304 was removed',
      (d) => Reflect.deleteProperty(get(d).responses, '304'),
    ],
    [
      'GET /pay: the answer 404: the header Retry-After was removed',
      (d) => (get(d).responses[404]!.headers = {}),
    ],
    [
      'GET /pay: the answer 200: application/json was removed',
      (d) => (get(d).responses[200]!.content = {}),
    ],
    [
      'GET /pay: the error gone (40401) was removed',
      (d) =>
        (get(d).responses[404]!.content['application/json']!.schema.allOf[1] = {
          properties: { code: { enum: [40400] }, error: { enum: ['not_found'] } },
        }),
    ],
    [
      'GET /pay: the error gone (40401) was removed',
      (d) =>
        (get(d).responses[404]!.content['application/json']!.schema.allOf[1] = {
          properties: { code: { enum: [40400, 40402] }, error: { enum: ['not_found', 'gone'] } },
        }),
    ],
    [
      'answers: ErrorView.request_id was removed',
      (d) => delete d.components.schemas.ErrorView!.properties.request_id,
    ],
    ['answers: PayView.reason was removed', (d) => delete view(d).properties.reason],
    [
      'answers: PayView.id became optional',
      (d) => (view(d).required = without(view(d).required, 'id')),
    ],
    ['answers: PayView.id may be null', (d) => (field(view(d), 'id').type = ['integer', 'null'])],
    [
      'answers: PayView.id changed from integer to number',
      (d) => (field(view(d), 'id').type = 'number'),
    ],
    [
      'answers: PayView.id changed from integer to any type',
      (d) => delete field(view(d), 'id').type,
    ],
    [
      'answers: PayView.at changed its format from date-time to date',
      (d) => (field(view(d), 'at').format = 'date'),
    ],
    [
      'answers: PayView.parts[] changed from object to string',
      (d) => (field(view(d), 'parts').items = { type: 'string' }),
    ],
    [
      'answers: PayView.ban.until may be null',
      (d) => (field(d.components.schemas.BanView!, 'until').type = ['string', 'null']),
    ],
    [
      'answers: PayView.ban changed from object to string',
      (d) => (field(view(d), 'ban').anyOf = [{ type: 'string' }, { type: 'null' }]),
    ],
  ])('finds that %s', (sentence, change) => {
    expect(breaksOf(change)).toEqual([sentence]);
  });

  it('finds both errors of a response that was removed', () => {
    expect(breaksOf((d) => Reflect.deleteProperty(get(d).responses, '404'))).toEqual([
      'GET /pay: the error not_found (40400) was removed',
      'GET /pay: the error gone (40401) was removed',
    ]);
  });

  it.each<[string, (document: Document) => unknown]>([
    ['nothing changes', () => undefined],
    [
      'a route is new',
      ({ paths }) => Object.assign(paths, { '/more': { get: { responses: {} } } }),
    ],
    ['a route becomes public', (d) => (get(d).security = [])],
    [
      'an optional parameter is new',
      (d) => get(d).parameters.push({ name: 'key', in: 'header', schema: {} }),
    ],
    ['an optional field is new', (d) => (dto(d).properties.key = { type: 'string' })],
    ['a required field becomes optional', (d) => (dto(d).required = [])],
    ['a request may contain null', (d) => (field(dto(d), 'amount').type = ['integer', 'null'])],
    ['a request may contain any number', (d) => (field(dto(d), 'amount').type = 'number')],
    [
      'a request may contain another value',
      (d) => (field(dto(d), 'way').enum = ['card', 'cash', 'gift']),
    ],
    [
      'bounds become wider',
      (d) => Object.assign(field(dto(d), 'amount'), { minimum: 0, maximum: 101 }),
    ],
    ['a pattern is dropped', (d) => delete field(dto(d), 'note').pattern],
    ['a response has another field', (d) => (view(d).properties.extra = { type: 'string' })],
    [
      'a response has another value',
      (d) => (field(view(d), 'state').enum = ['new', 'done', 'lost']),
    ],
    [
      'a field of a response is no longer nullable',
      (d) => (field(view(d), 'ban').anyOf = [{ $ref: '#/components/schemas/BanView' }]),
    ],
    ['an optional field of a response is always present', (d) => view(d).required.push('reason')],
    [
      'a route has another error',
      (d) =>
        (get(d).responses[404]!.content['application/json']!.schema.allOf[1] = {
          properties: {
            code: { enum: [40402, 40400, 40401] },
            error: { enum: ['lost', 'not_found', 'gone'] },
          },
        }),
    ],
    ['a description changes', (d) => (field(dto(d), 'note').description = 'why')],
  ])('finds no break if %s', (_, change) => {
    expect(breaksOf(change)).toEqual([]);
  });

  it('finds a break in a renamed schema', () => {
    const renamed = (change: (document: Document) => unknown) => (d: Document) => {
      change(d);
      d.components.schemas.Order = dto(d);
      post(d).requestBody.content = {
        'application/json': { schema: { $ref: '#/components/schemas/Order' } },
      };
    };
    expect(breaksOf(renamed(() => undefined))).toEqual([]);
    expect(breaksOf(renamed((d) => delete dto(d).properties.note))).toEqual([
      'POST /pay: the body.note was removed',
    ]);
  });
});
