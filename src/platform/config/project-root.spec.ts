import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_ROOT, PROJECT_ROOT } from './project-root.js';

describe('The project root', () => {
  it('is the folder of package.json and src', () => {
    const { name } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
    expect(name).toBe('gatehouse');
    expect(CODE_ROOT).toBe(join(PROJECT_ROOT, 'src'));
  });
});
