/** A file that was applied holds at once, in every process, on test clocks too. */
import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { tenantInfo, type Dependencies } from '../../../operations/context/context.ts';
import { allowedOrigins } from '../../../operations/hosted-pages/tenant-origin.ts';
import { makeTenant } from '../../support/tenants.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('FEE', 100, { ...prepaid, taxCodes: ['S'] })];
const us = { countryCode: 'US', state: 'NY' };
const taxOf = (percent: string) => ({
  tax: { type: 'table', rates: [{ country: 'US', percent, taxCode: 'S', name: 'Sales tax' }] },
});

/** An order that the run of this moment bills: 100.00, and the tax of the file. */
async function dueAt(percent: string) {
  const books = await openBooks(db, { today: '2027-01-01', plans, file: taxOf(percent) });
  const customerId = await books.customer({ address: us });
  await books.order({ customerId, contractCode: 'FEE' });
  books.jump('2027-01-02');
  return { books, customerId };
}

const apply = ({ dependencies, label }: Books, file: object) =>
  makeTenant(dependencies, { label, plans, file: { ...file } });

/** The day of each invoice, and what it costs. */
const dues = async (books: Books) =>
  (await books.invoices()).map((text) =>
    text.replace(/^\d+ on (\S+) .* Outstanding (\S+): .*$/, '$1 $2'),
  );

const rates = async (dependencies: Dependencies, { tenantId }: Books) =>
  (await tenantInfo(dependencies, tenantId)).taxRates.map(({ percent }) => percent);

test('a run right after apply bills by the new rates', async (t) => {
  const { books } = await dueAt('5');
  t.deepEqual(await rates(books.dependencies, books), ['5']);
  await apply(books, taxOf('8'));
  await books.run();
  t.deepEqual(await dues(books), ['2027-01-02 108.00']);
});

test('so does a run of another process, which has read the old file', async (t) => {
  const { books, customerId } = await dueAt('5');
  const url = db.ownerUrl;
  const pool = { poolMax: 2, statementTimeoutMs: 30_000, name: 'other' };
  const other = await openDatabase({ ...pool, url, role: 'sundial_app' });
  t.teardown(() => other.close());
  const elsewhere = { ...books.dependencies, db: other };
  t.deepEqual(await rates(elsewhere, books), ['5']);
  await apply(books, taxOf('8'));
  await billCustomers(elsewhere, books.tenantId, [customerId], { wait: true });
  t.deepEqual(await dues(books), ['2027-01-02 108.00']);
});

test('what each reader remembers of a file is that of the newest one', async (t) => {
  const { books } = await dueAt('5');
  const { dependencies, tenantId } = books;
  t.deepEqual(await allowedOrigins(dependencies, tenantId), []);
  const origins = ['https://www.example.com'];
  await apply(books, { hostedPages: { allowedOrigins: origins }, settings: { usageGraceDays: 4 } });
  t.deepEqual(await allowedOrigins(dependencies, tenantId), origins);
  const { settings, taxRates } = await tenantInfo(dependencies, tenantId);
  t.is(settings.usageGraceDays, 4);
  t.deepEqual(taxRates, []);
});
