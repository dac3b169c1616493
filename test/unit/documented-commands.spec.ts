import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/create-program.js';
import { readDocument } from '../support/documents/source-code.js';

const PAGES = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);
// Matches a line of a code block, or inline code with arguments.
const COMMAND =
  /(?:^ *|`|&& )(?:gatehouse|node dist\/gatehouse\.js|npm run gatehouse --) +([^`\n]+)/gm;
// Matches incomplete commands, such as a command name in a sentence or an outline with an ellipsis.
const INCOMPLETE = /…|--help|^(\w+ [\w-]+|\w+)$/;

function commandsIn(text: string): string[] {
  return [...text.matchAll(COMMAND)]
    .map(([, line]) => line!.replace(/ +(#|&&|\|).*$/, '').trim())
    .filter((line) => !INCOMPLETE.test(line));
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => (double ?? single ?? plain)!,
  );
}

/** Parses a command line without running it, and returns the problem or an empty string. */
async function problemOf(line: string): Promise<string> {
  let problem = '';
  const program = createProgram();
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: (text) => (problem += text) });
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(prepare);
  };
  prepare(program);
  await program.parseAsync(wordsOf(line), { from: 'user' }).catch((error: Error) => {
    problem += error.message;
  });
  return problem;
}

describe('The gatehouse commands in the documents', () => {
  const lines = [...new Set(PAGES.flatMap((page) => commandsIn(readDocument(page))))];

  it('are more than 40 different commands', () => {
    expect(lines.length).toBeGreaterThan(40);
  });

  it.each(lines)('are accepted by the program: gatehouse %s', async (line) => {
    expect(await problemOf(line)).toBe('');
  });

  it.each([
    ['player banish dragon_slayer', /unknown command/],
    ['withdrawal list --status unknown --zone 3', /unknown option/],
    ['withdrawal settle 42 succeeded --by anna', /required option/],
    ['withdrawal list --since yesterday', /yesterday/],
  ])('would be rejected with a mistake such as gatehouse %s', async (line, problem) => {
    expect(await problemOf(line)).toMatch(problem);
  });
});
