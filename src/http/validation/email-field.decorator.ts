import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { TextField } from './field.decorator.js';

const LONGEST_LOCAL_PART = 64;
const WORD = "[A-Za-z0-9_+~&=#'-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * One plain mailbox: no display name, quotes, comments, second recipient or routing, nothing outside ASCII, and no
 * address that a mail program could take for an option.
 */
const MAILBOX = new RegExp(
  `^(?!-)(?=[^@]{1,${LONGEST_LOCAL_PART}}@)${WORD}(?:\\.${WORD})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`,
);

/** An e-mail address on the wire. Addresses are compared and stored in lower case, so this is how it arrives. */
export const EmailField = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ),
    TextField({
      max: 254,
      pattern: MAILBOX,
      hint: 'must be an e-mail address',
      example: 'player@example.com',
    }),
  ) as PropertyDecorator;
