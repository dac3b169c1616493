import type { ValidationError } from 'class-validator';

/** Lists every problem of a configuration source, not only the first one. */
export class ConfigurationError extends Error {
  constructor(
    readonly source: string,
    readonly problems: string[],
  ) {
    super(`${source}: ${problems.join('; ')}`);
  }
}

export function describeValidationErrors(errors: ValidationError[], parent = ''): string[] {
  return errors.flatMap((error) => {
    const path = parent ? `${parent}.${error.property}` : error.property;
    const messages = new Set(Object.values(error.constraints ?? {}));
    const own = [...messages].map((message) => `${path} ${message}`);
    return [...own, ...describeValidationErrors(error.children ?? [], path)];
  });
}
