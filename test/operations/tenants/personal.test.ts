/** `npm run tenant -- export-customer` and `erase-customer` as operators see them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { strFromU8, unzipSync } from 'fflate';
import { command } from '../../support/commands.ts';
import { sharedDatabase } from '../support/books.ts';
import { openWholeCustomer } from '../support/whole-customer.ts';

const db = await sharedDatabase();

const tenant = async (args: readonly string[]): Promise<string> => {
  const env = { DATABASE_URL: db.ownerUrl, SECRET_KEY: undefined, OPERATOR: 'olga' };
  const { stdout, stderr } = await command({ entry: 'cli/tenant.ts', args, env });
  return stdout + stderr;
};

test('npm run tenant exports all that there is of a customer, and erases it', async (t) => {
  const { books, id } = await openWholeCustomer(db);
  const { label } = books;
  const folder = await mkdtemp(join(tmpdir(), 'sundial-export-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, 'ada.zip');
  const said = await tenant(['export-customer', label, String(id), '--out', out]);
  t.regex(said, new RegExp(`^customer ${id} of ${label}: \\d+ files in .*ada\\.zip\\n$`));
  const files = unzipSync(await readFile(out));
  const names = Object.keys(files).map((name) => name.replaceAll(/\d+/g, 'N'));
  t.deepEqual([...new Set(names)].toSorted(), [
    'activities/from-N.xml',
    'customer.xml',
    'invoices/N-invoice-N.pdf',
    'invoices/N.xml',
    'ledger.csv',
    'mails.csv',
    'orders/N.xml',
    'paymentMethods.xml',
    'paymentPlan.xml',
    'payments/N.xml',
    'refunds/N.xml',
    'signups/N.xml',
  ]);
  const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
  t.regex(text('customer.xml'), /<extCustomerRef>ADA<\/extCustomerRef>/);
  t.regex(text('ledger.csv'), /Payment/);
  t.regex(text('mails.csv'), /contactChanged,queued/);
  const pdf = Object.entries(files).find(([name]) => name.endsWith('.pdf'))?.[1];
  t.is(strFromU8((pdf ?? new Uint8Array()).subarray(0, 5)), '%PDF-');
  t.regex(await tenant(['export-customer', label, String(id), '--out', out]), /is there already/);
  const dry = await tenant(['erase-customer', label, String(id), '--dry-run']);
  t.regex(dry, new RegExp(`^customer ${id} would be erased\\n  activity: 1 row\\n`));
  t.regex(dry, /\(dry run: nothing was written\)\n$/);
  t.is((await books.read((tx) => tx.query(`select from customer where name = 'Ada'`))).length, 1);
  t.regex(
    await tenant(['erase-customer', label, String(id)]),
    new RegExp(`^customer ${id} is erased\n`),
  );
  t.is(await tenant(['erase-customer', label, String(id)]), `customer ${id} is erased already\n`);
  t.is(
    await tenant(['erase-customer', label, '999999999']),
    'customer.unknown: there is no customer with id 999999999\n',
  );
  const commands = await books.read((tx) =>
    tx.query(
      `select path, username, object_id = $1 as is_its from audit_log where action = 'command'
      order by id`,
      [id],
    ),
  );
  t.deepEqual(
    commands.map((row) => Object.values(row).join(' ')),
    [
      'tenant export-customer olga true',
      'tenant erase-customer olga true',
      'tenant erase-customer olga true',
    ],
  );
});
