import { CONNECT_ID, LONGEST_CONNECT_ID } from '../../links/identity.js';

/**
 * Who the forum says it is: the field of that name, or, where the name is a path such as `user.id`, the field at
 * its end. Undefined for what cannot identify a person: forums give 0 to guests, and a number beyond 2^53 has
 * lost digits on its way through JSON, so that it may be another person's.
 */
export function connectIdOf(userInfo: unknown, field: string): string | undefined {
  const value = ownField(userInfo, field) ?? field.split('.').reduce(ownField, userInfo);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string' || value === '0') return undefined;
  const wellFormed =
    CONNECT_ID.test(value) &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    Array.from(value).length <= LONGEST_CONNECT_ID;
  return wellFormed ? value : undefined;
}

function ownField(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name))
    return undefined;
  return (holder as Record<string, unknown>)[name];
}
