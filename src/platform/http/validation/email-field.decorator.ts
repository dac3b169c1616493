import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { TextField } from './field.decorator.js';

const MAX_LOCAL_PART = 64;
const WORD = "[A-Za-z0-9_+~&=#'-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * One plain ASCII mailbox: no display name, quotes, comments, second recipient or routing, and no leading dash that a
 * mail program could take for an option.
 */
const MAILBOX = new RegExp(
  `^(?!-)(?=[^@]{1,${MAX_LOCAL_PART}}@)${WORD}(?:\\.${WORD})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`,
);

export const EMAIL_RULES = {
  max: 254,
  pattern: MAILBOX,
  hint: 'must be an e-mail address',
  example: 'player@example.com',
};

/** An e-mail address, turned to lower case: that is how addresses are compared and stored. */
export const EmailField = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ),
    TextField(EMAIL_RULES),
  ) as PropertyDecorator;
