import { TextField } from '../../../platform/http/validation/field.decorator.js';

/**
 * A random value that tells a front end that it started this login itself. An ill-formed one is refused: ignored,
 * it would protect nothing.
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
