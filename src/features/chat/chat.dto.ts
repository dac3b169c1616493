import {
  MAX_INT,
  textProblem,
  type TextRules,
  textSchema,
  integerProblem,
  type IntegerRules,
  integerSchema,
} from '../../platform/http/validation/field.decorator.js';

/** Limits the records in one report. */
export const MAX_RECORDS = 500;

const YEAR_2000 = 946_684_800;
const DAY_SECONDS = 86_400;

/** Fields that are missing or null are unknown. */
export interface ChatRecord {
  server_id: number;
  chat_id?: string | number | null;
  account?: string | null;
  role_id?: number | null;
  role_name?: string | null;
  channel?: string | null;
  content: string;
  time?: number | null;
}

interface FieldRule {
  schema: object;
  optional: boolean;
  problem: (value: unknown) => string | undefined;
}

const text = (rules: TextRules): FieldRule => ({
  schema: textSchema(rules),
  optional: rules.optional ?? false,
  problem: (value) => textProblem(value, rules),
});
const wholeNumber = (rules: IntegerRules): FieldRule => ({
  schema: integerSchema(rules),
  optional: rules.optional ?? false,
  problem: (value) => integerProblem(value, rules),
});

const CHAT_ID: TextRules = {
  max: 64,
  pattern: /^[!-~]+$/,
  hint: 'must be ASCII letters, digits and punctuation without spaces',
  description:
    'unique within the server; send a number above 2^53 as a string, because JSON would lose digits',
  example: '1000001',
};

const FIELD_RULES: Record<keyof ChatRecord, FieldRule> = {
  server_id: wholeNumber({
    max: MAX_INT,
    description: 'the server, which need not be open',
    example: 1,
  }),
  chat_id: {
    schema: { oneOf: [textSchema(CHAT_ID), integerSchema({ min: 0 })] },
    optional: true,
    problem: (value) =>
      typeof value === 'number' ? integerProblem(value, { min: 0 }) : textProblem(value, CHAT_ID),
  },
  // In messages sent by the game itself, account and role are empty or 0.
  account: text({ min: 0, max: 64, optional: true, example: 'alice' }),
  role_id: wholeNumber({ min: 0, optional: true, example: 100_001 }),
  role_name: text({ min: 0, max: 64, optional: true, example: '屠龙少年' }),
  channel: text({ min: 0, max: 32, optional: true, example: 'world' }),
  content: text({ max: 2000, description: 'stored as sent', example: 'Hello 👋' }),
  time: {
    schema: {
      ...integerSchema({ min: YEAR_2000, example: 1_794_700_800 }),
      description: 'epoch seconds, at most a day ahead; if omitted, the time of the report',
    },
    optional: true,
    problem: (value) =>
      integerProblem(value, { min: YEAR_2000, max: Date.now() / 1000 + DAY_SECONDS }) &&
      'must be epoch seconds, from the year 2000 to a day from now',
  },
};
const FIELDS = Object.entries(FIELD_RULES);

export const CHAT_RECORD_SCHEMA = {
  type: 'object',
  required: FIELDS.filter(([, { optional }]) => !optional).map(([field]) => field),
  properties: Object.fromEntries(FIELDS.map(([field, { schema }]) => [field, schema])),
};

/** Yields the problems of a record. class-validator would take 20 µs per record, which would double the total time. */
export function* validateChatRecord(record: object): Generator<{ field: string; message: string }> {
  for (const [field, { optional, problem }] of FIELDS) {
    const value = (record as Record<string, unknown>)[field];
    if (optional && (value === undefined || value === null)) continue;
    const message = problem(value);
    if (message !== undefined) yield { field, message };
  }
}
