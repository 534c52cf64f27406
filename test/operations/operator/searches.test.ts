/** The saved searches, and the acts, are the same in the documents and in the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { actNames, actOf } from '../../../operations/operator/acts.ts';
import { savedSearches, searchAddress } from '../../../operations/operator/searches.ts';

const docs = join(import.meta.dirname, '../../../docs');
const ui = { url: 'http://127.0.0.1:8233', namespace: 'default' };

test('each saved search of the page is a link of the documentation, to the same list', (t) => {
  const page = readFileSync(join(docs, 'operations.md'), 'utf8');
  for (const { finds, query } of savedSearches) {
    const [row = ''] = page.split('\n').filter((line) => line.includes(`[\`${query}\`]`));
    t.true(row.includes(`(${searchAddress(ui, query)})`), `${finds}: ${row}`);
  }
});

test('each search of a runbook is a saved one, and a link to the list', (t) => {
  const queries = new Set(savedSearches.map(({ query }) => query));
  const found: string[] = [];
  for (const name of readdirSync(join(docs, 'runbooks'))) {
    const page = readFileSync(join(docs, 'runbooks', name), 'utf8');
    for (const [, query = '', address] of page.matchAll(/\[`([^`]+)`\]\((http[^)]+)\)/g)) {
      t.true(queries.has(query), `${name}: ${query}`);
      t.is(address, searchAddress(ui, query), name);
      found.push(name);
    }
    // One that is not a link: nobody types it.
    t.notRegex(page, /(?<!\[)`(?:Phase|WorkflowType|ExecutionStatus|FailureCode) = /, name);
  }
  t.true(new Set(found).size >= 8, found.join(' '));
});

test('a search of one tenant finds nothing of another', (t) => {
  const address = searchAddress(ui, 'Phase = "Held"', 'demo');
  t.is(
    address,
    'http://127.0.0.1:8233/namespaces/default/workflows?query=Tenant%20%3D%20%22demo%22%20and%20Phase%20%3D%20%22Held%22',
  );
});

test('the rules have each act with its rights', (t) => {
  const page = readFileSync(join(docs, 'rules/operations.md'), 'utf8');
  const [, table = ''] = page.split('## Acts');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const rights = rows.map((row) => row.split(' | ')[1]?.replaceAll('`', ''));
  t.deepEqual(
    rights,
    actNames.map((name) => [actOf(name).needs].flat().join(', ')),
  );
});
