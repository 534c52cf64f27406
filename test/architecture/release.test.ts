/** One number of a release: package.json has it, and whatever else names the release names the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openApiOf } from '../../api/docs/openapi/openapi.ts';
import { buildIdOf, releaseVersion } from '../../release.ts';
import { filesWithVersion, mistakesInChangelog, withVersion } from '../support/versions.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('clients, lockfile, images and documents name the release that package.json names', (t) => {
  t.is(releaseVersion, JSON.parse(read('package.json')).version);
  for (const file of filesWithVersion) {
    const text = read(file);
    t.is(withVersion(file, text), text, file);
    // Another number would not go unnoticed.
    const next = withVersion(file, text, '7.8.9');
    t.true(next.includes('7.8.9'), file);
    t.is(withVersion(file, next), text, file);
  }
  t.throws(() => withVersion('docker-compose.yml', 'services:'), { message: /docker-compose.yml/ });
});

test('builds and OpenAPI have the number of the release', (t) => {
  t.regex(buildIdOf(), new RegExp(`^${releaseVersion}-[0-9a-f]{8}$`));
  t.like(openApiOf([], []), { info: { version: releaseVersion } });
});

test('the newest heading of the changelog is the release, below what is unreleased', (t) => {
  t.deepEqual(mistakesInChangelog(read('CHANGELOG.md')), []);
  const headings = (...texts: string[]): string => texts.map((each) => `## ${each}\n`).join('');
  const mistakes = (...texts: string[]) => mistakesInChangelog(headings(...texts), '1.10.0');
  t.deepEqual(mistakes('Unreleased', '1.10.0 - 2027-02-01', '1.9.0 - 2027-01-01'), []);
  for (const [words, ...texts] of [
    [/not Unreleased/, '1.10.0 - 2027-02-01'],
    [/is 1\.9\.0, not 1\.10\.0/, 'Unreleased', '1.9.0 - 2027-01-01'],
    [/no release with its day/, 'Unreleased', '1.10.0'],
    [/no release with its day/, 'Unreleased', '1.10.0 - 2027-02-30'],
    [/not come first/, 'Unreleased', '1.10.0 - 2027-02-01', '1.11.0 - 2027-01-01'],
    [/not come first/, 'Unreleased', '1.10.0 - 2027-02-01', '1.9.0 - 2027-03-01'],
  ] as const) {
    t.regex(mistakes(...texts).join('\n'), words, texts.join());
  }
});
