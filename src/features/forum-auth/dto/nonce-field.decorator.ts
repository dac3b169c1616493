import { TextField } from '../../../platform/http/validation/field.decorator.js';

/**
 * A random value that lets a front end recognise that it started this login. A malformed one is refused: ignored, it
 * would protect nothing.
 */
export function NonceField(description: string): PropertyDecorator {
  return TextField({
    min: 16,
    max: 64,
    pattern: /^[A-Za-z0-9_-]+$/,
    hint: 'must be of A-Z, a-z, 0-9, _ and -',
    optional: true,
    description,
  });
}
