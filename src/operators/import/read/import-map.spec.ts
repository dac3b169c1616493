import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { parseImportMap } from './import-map.js';

const problemsOf = (text: string): string[] => {
  try {
    parseImportMap(text, 'map.yaml');
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

describe('The import map', () => {
  it.each(['config/import.yaml', 'config/import.user.yaml'])(
    'is valid in the shipped file %s',
    (file) => {
      const map = parseImportMap(readFileSync(file, 'utf8'), file);
      expect(map.on_name_collision).toBe('suffix');
      expect(map.players.columns.account).toMatch(/^(account|name)$/);
    },
  );

  it('is rejected with a list of all problems', () => {
    const problems = problemsOf(
      'charset: klingon\ntimezone: Beijing\nplayers: { table: t, columns: { account: a } }\nlinks: { table: l }\non_name_collision: shrug\nsurprise: 1',
    );
    for (const part of [
      'charset must be a character set',
      'timezone must be an offset',
      'players.columns.password must be the name',
      'links.player must be the name',
      'on_name_collision must be suffix',
      'surprise is not known in a map',
    ])
      expect(problems.join('\n')).toContain(part);
  });

  it('is rejected if it sets the character set of a column that it does not name', () => {
    const players = 'players: { table: t, columns: { account: a, password: p } }';
    expect(problemsOf(`${players}\ncharsets: { t.a: gbk }`)).toEqual([]);
    expect(problemsOf(`${players}\ncharsets: { t.b: gbk }`)).toEqual([
      'map.yaml: charsets.t.b is not a table.column of this map',
    ]);
    expect(problemsOf(`${players}\ncharsets: { t.a: klingon }`)).toHaveLength(1);
  });

  it('is rejected if it refers to an id column that is not mapped', () => {
    const players = 'players: { table: t, columns: { account: a, password: p } }';
    expect(problemsOf(`${players}\nbans: { table: b, player: p, refers_to: id }`)).toEqual([
      'map.yaml: bans.refers_to is id, but players.columns.id is not set',
    ]);
  });
});
