import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CODE_ROOT, PROJECT_ROOT } from './project-root.js';

it('finds the folder of package.json and, in it, the sources', () => {
  const { name } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  expect(name).toBe('gatehouse');
  expect(CODE_ROOT).toBe(join(PROJECT_ROOT, 'src'));
});
