/**
 * Passwords of imported files, in good and in bad rows, and the addresses of files: neither is found
 * in a log, a history, a row, a result or a file of the engine.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { valueOf } from '../../api/tenant-api.ts';
import { leaksIn } from '../../support/leaks.ts';
import { until } from '../../support/until.ts';
import { openImporting } from '../crash/importing.ts';
import { startParts } from '../crash/parts.ts';
import { openTestDatabase } from '../crash/till.ts';
import { cellsOf, filesOf, historiesOf } from './places.ts';

const passwords = {
  good: 'Hush-good-71',
  changed: 'Hush-changed-72',
  tooLong: `Hush-long-73-${'x'.repeat(300)}`,
  cells: 'Hush-cells-74',
  broken: 'Hush-broken-75',
  unclosed: 'Hush-unclosed-76',
  nameless: 'Hush-nameless-77',
  taken: 'Hush-taken-78',
  first: 'Hush-first-79',
} as const;
const told = { numbers: Object.values(passwords).map((each) => each.slice(0, 14)), codes: [] };

const parts = await startParts({ LOG_LEVEL: 'trace' });
const db = await openTestDatabase(parts, 'sundial_app');
const tenant = await openImporting(parts, db);

test.after.always(async () => {
  await parts.stop();
  await db.close();
});

const columns = 'emailPrimary,extCustomerRef,firstName,lastName,username,passwd,updateMode';
const file = [
  columns,
  `a@example.com,A-1,Ada,Byron,ada,${passwords.good},I`,
  `a@example.com,A-2,Ada,Byron,bea,${passwords.tooLong},I`,
  `a@example.com,A-3,Ada,Byron,cid,${passwords.cells},I,more`,
  `a@example.com,A-4,Ada,Byron,dot,"${passwords.broken}"x,I`,
  `a@example.com,A-5,Ada,Byron,,${passwords.nameless},I`,
  `a@example.com,A-6,Ada,Byron,ada,${passwords.taken},I`,
  `a@example.com,A-7,Ada,Byron,eve,"${passwords.unclosed},I`,
].join('\n');

/** The tokens of the addresses that were made. */
const tokens: string[] = [];
const ids: number[] = [];

async function run(text: string): Promise<number> {
  const { id, uploadUrl } = await tenant.draft('Customer');
  tokens.push(new URL(uploadUrl).searchParams.get('token') ?? '');
  await tenant.upload(uploadUrl, text);
  // Used twice, and forged.
  await tenant.upload(uploadUrl, text);
  await tenant.upload(`${uploadUrl}x`, text);
  await tenant.finalize(id);
  await tenant.ended(id);
  ids.push(id);
  return id;
}

function leaky(texts: Iterable<readonly [where: string, text: string]>): string[] {
  const found = [...texts].flatMap(([where, text]) =>
    leaksIn(text, told).map((leak) => `${where} ${leak}`),
  );
  return [...new Set(found)];
}

test.serial.before('files with passwords in every place are imported', async (t) => {
  await run(file);
  await run(`${columns}\n,A-1,,,ada,${passwords.changed},U\n`);
  // Files without columns, or with a password for one.
  await run(`${passwords.first},A-8,Ada,Byron\n`);
  await run(`extCustomerRef,passwd\nA-9,${passwords.first}\n`);
  await until(
    'the passwords are hashed',
    async () => (await tenant.count('password_to_hash')) === 0,
  );
  t.deepEqual(await Promise.all(ids.map(tenant.statusOf)), [
    'PartialSuccess 1 6',
    'Success 1 0',
    'Failure 0 0 The first line names no column that is known; "extCustomerRef" is needed.',
    'Failure 0 1',
  ]);
});

test('no answer and no result contains a password', async (t) => {
  const answers: [string, string][] = [];
  for (const id of ids) {
    const { body } = await tenant.call('GET', `/batchProcess?id=${id}`);
    tokens.push(new URL(valueOf(body, 'downloadUrl') ?? '').searchParams.get('token') ?? '');
    answers.push([`batch ${id}`, body], [`result ${id}`, JSON.stringify(await tenant.result(id))]);
  }
  t.deepEqual(leaky(answers), []);
});

test('no row of any table contains a password', async (t) => {
  const cells = await cellsOf(parts);
  const values = cells.map(({ table, value }) => [table, value] as const);
  t.deepEqual(leaky(values), []);
  t.true(values.some(([name]) => name === 'import_row'));
});

test('no history contains a password or a cell', async (t) => {
  const { histories, types } = await historiesOf(parts);
  t.deepEqual(leaky(histories), []);
  t.false(histories.some(([, text]) => /A-\d|Byron/.test(text)));
  t.true(types.isSupersetOf(new Set(['batchImport', 'passwords'])), [...types].join());
});

test.serial.after('no log, and no file of the engine, contains a password or an address', (t) => {
  const contents = filesOf(parts);
  t.deepEqual(leaky(contents), []);
  t.true(tokens.length >= 2 * ids.length && tokens.every((token) => token.length > 20));
  for (const [name, text] of contents) {
    t.deepEqual(
      tokens.filter((token) => text.includes(token.split('.').at(-1) ?? '')),
      [],
      name,
    );
  }
  const api = readFileSync(join(parts.folder, 'api.log'), 'utf8');
  t.regex(api, /"path":"\/rest\/file"/);
});
