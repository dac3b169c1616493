// Rejects unclear phrases in the documents, in config/, in scripts/, and in the comments and
// messages of src/.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const PHRASES = [
  /\btells? of\b/i,
  /\btak(?:es?|ing) (?:it |this )?back\b/i,
  /\bwhat is none\b/i,
  /\bfor who\b/i,
  /\bthe one who\b/i,
  // "stands for" and "stands in for" are clear. `stands()` and `.stands` are names.
  /(?<![.\w])stands\b(?! (?:in )?for\b|\()/i,
];
const PATHS = ['*.md', 'config', 'scripts', 'src'];
const EXCEPT = [':!scripts/check-words.mjs', ':!*.hbs', ':!*.html'];

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...PATHS, ...EXCEPT],
  { encoding: 'utf8' },
);
const hits = files
  .split('\0')
  .filter(Boolean)
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        PHRASES.map((phrase) => phrase.exec(line)?.[0])
          .filter(Boolean)
          .map((found) => `${file}:${index + 1}: write "${found}" in plainer words`),
      ),
  );
if (hits.length > 0) {
  console.error(hits.join('\n'));
  process.exitCode = 1;
}
