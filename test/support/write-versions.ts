/**
 * Entry of `npm run format`: writes the number of the release that package.json has into the files that name
 * it. With `--check` it only says which have another one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesWithVersion, mistakesInChangelog, withVersion } from './versions.ts';

const root = join(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const mistakes = mistakesInChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).map(
  (mistake) => `CHANGELOG.md: ${mistake}`,
);
for (const file of filesWithVersion) {
  const text = readFileSync(join(root, file), 'utf8');
  const written = withVersion(file, text);
  if (written === text) continue;
  if (isCheck) mistakes.push(`${file} names another release: npm run format writes it anew.`);
  else writeFileSync(join(root, file), written);
}
for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
if (mistakes.length > 0) process.exitCode = 1;
