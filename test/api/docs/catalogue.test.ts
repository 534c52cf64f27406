/**
 * Compares the error codes in code and documentation. The run of all tests checks that each code is
 * asserted: test/support/asserted.ts.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { documentsOf } from '../../../api/docs/documents.ts';
import { errorCatalogue } from '../../../api/docs/errors.ts';
import { routes } from '../../support/xsd.ts';

const root = join(import.meta.dirname, '../../..');

function sources(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const catalogues = [
  'domain/error-codes.ts',
  'domain/imports/error-codes.ts',
  'domain/usage/error-codes.ts',
  'api/calls/catalogue.ts',
  'api/docs/errors.ts',
];
const code = ['api', 'domain', 'operations']
  .flatMap(sources)
  .filter(({ path }) => !catalogues.includes(path) && !path.startsWith('api/documents'));
/** Composed of a word and a name: `found('customer', …)` answers `customer.unknown`. */
const isComposed = (each: string): boolean => /^\w+\.unknown$/.test(each);

const errorsPage = String(documentsOf(routes).get('/docs/errors')?.text());

for (const { code: each, meaning } of errorCatalogue()) {
  test(`${each} is used in the code, and documented`, (t) => {
    const quoted = `'${each}'`;
    t.true(
      code.some(({ text }) => text.includes(quoted)) || isComposed(each),
      'no code answers with it',
    );
    t.true(errorsPage.includes(`<tr id="${each}">`));
    t.regex(meaning, /^[A-Z].*\.$/);
  });
}

test('the documented statuses are those of the code', (t) => {
  const documented = new Map(errorCatalogue().map((entry) => [entry.code as string, entry]));
  let seen = 0;
  for (const { path, text } of code) {
    const thrown = /new RequestError\(\s*(\d{3}),\s*\{\s*code: '([\w.]+)'/g;
    for (const [, status, each = ''] of text.matchAll(thrown)) {
      seen += 1;
      t.true(documented.get(each)?.statuses.includes(Number(status)), `${path}: ${status} ${each}`);
    }
    for (const [, each = ''] of text.matchAll(/badRequest\(\s*'([\w.]+)'/g)) {
      seen += 1;
      t.true(documented.get(each)?.statuses.includes(400), `${path}: ${each}`);
    }
  }
  t.true(seen > 25);
});
