/** Series of invoice numbers: by year or on and on, without a gap, also when the file changes. */
import test from 'ava';
import { applyTenantFile } from '../../../operations/tenants/apply.ts';
import type { WrittenSeries } from '../../../domain/invoices/number-series.ts';
import { createVault } from '../../../providers/vault.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { stringify } from 'yaml';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 10, prepaid)];
const yearly = { prefix: 'INV-{YYYY}-', digits: 4, yearly: true };

type Numbering = Readonly<Record<string, WrittenSeries>>;

const numbered = (today: string, numbering: Numbering) =>
  openBooks(db, { today, plans, file: { numbering } });

const numbersOf = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ invoiceNumber: string }>(
      'select invoice_number from invoice order by id',
    );
    return rows.map(({ invoiceNumber }) => invoiceNumber);
  });

const bill = (books: Books, customerId: number, amount = '5.00') =>
  books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ amount, invoiceText: 'Visit' }] }],
  });

test("a yearly series begins anew at 00:00 of the tenant's new year", async (t) => {
  const books = await numbered('2027-12-31', { invoice: yearly });
  const customerId = await books.customer();
  await bill(books, customerId);
  // 23:59 in New York, where it is another year in UTC.
  books.later(24 * 3_600_000 - 60_000);
  await bill(books, customerId);
  books.later(60_000);
  await bill(books, customerId);
  await bill(books, customerId);
  t.deepEqual(await numbersOf(books), [
    'INV-2027-0001',
    'INV-2027-0002',
    'INV-2028-0001',
    'INV-2028-0002',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('another series goes on, and says the year of the invoice', async (t) => {
  const books = await numbered('2027-12-31', { invoice: { prefix: '{YYYY}/', start: 1042 } });
  const customerId = await books.customer();
  await bill(books, customerId);
  await books.advance('2028-01-01');
  await bill(books, customerId);
  t.deepEqual(await numbersOf(books), ['2027/1042', '2028/1043']);
  t.deepEqual((await books.audit()).faults, []);
});

test('negative invoices have the numbers of credit notes, or those of invoices', async (t) => {
  const apart = await numbered('2027-01-15', {
    invoice: 1001,
    creditNote: { prefix: 'CN-', start: 1 },
  });
  const customerId = await apart.customer();
  for (const amount of ['5.00', '-2.00', '3.00', '-1.00']) await bill(apart, customerId, amount);
  t.deepEqual(await numbersOf(apart), ['1001', 'CN-1', '1002', 'CN-2']);
  t.deepEqual((await apart.audit()).faults, []);
  const together = await numbered('2027-01-15', { invoice: 1001 });
  const other = await together.customer();
  for (const amount of ['5.00', '-2.00']) await bill(together, other, amount);
  t.deepEqual(await numbersOf(together), ['1001', '1002']);
});

test('simultaneous invoices and credit notes at the turn of the year leave no gap', async (t) => {
  const books = await numbered('2027-12-31', {
    invoice: yearly,
    creditNote: { prefix: 'CN-{YY}-', yearly: true },
  });
  const customers = [await books.customer(), await books.customer(), await books.customer()];
  const several = () =>
    Promise.all(
      Array.from({ length: 18 }, (_, index) =>
        bill(books, customers[index % 3] ?? 0, index % 2 === 0 ? '5.00' : '-5.00'),
      ),
    );
  await several();
  await books.advance('2028-01-01');
  await several();
  const numbers = await numbersOf(books);
  t.is(new Set(numbers).size, 36);
  t.deepEqual(
    numbers.toSorted().filter((_, index) => index % 9 === 0),
    ['CN-27-1', 'CN-28-1', 'INV-2027-0001', 'INV-2028-0001'],
  );
  t.deepEqual((await books.audit()).faults, []);
});

const vault = createVault('a secret key of the tests, and of nothing else');
const how = { vault, secretOf: () => undefined, checkTemplates, isStrict: false, isDryRun: false };

/** Applies the tenant's file with another numbering. Returns the mistakes. */
async function renumber(books: Books, numbering: Numbering): Promise<string[]> {
  const text = stringify({
    tenant: books.label,
    name: 'Test tenant',
    timezone: 'America/New_York',
    currency: 'USD',
    users: [],
    plans,
    numbering,
  });
  const applied = await applyTenantFile(books.dependencies, { text, ...how });
  return applied.isValid ? [] : applied.mistakes.map(({ path, message }) => `${path}: ${message}`);
}

test('another prefix begins at its start, one used before goes on, digits may change', async (t) => {
  const books = await numbered('2027-01-15', { invoice: { prefix: 'A-', start: 7 } });
  const customerId = await books.customer();
  await bill(books, customerId);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'B-', start: 1 } }), []);
  await bill(books, customerId);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 7, digits: 4 } }), []);
  await bill(books, customerId);
  t.deepEqual(await numbersOf(books), ['A-7', 'B-1', 'A-0008']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a changed start at or below a number in use is a mistake, of a yearly series it waits', async (t) => {
  const books = await numbered('2027-12-31', { invoice: { prefix: 'A-', start: 7 } });
  const customerId = await books.customer();
  await bill(books, customerId);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 3 } }), [
    'numbering.invoice.start: 3 is at or below a number in use: the last is 7',
  ]);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 20 } }), []);
  await bill(books, customerId);
  t.deepEqual(await renumber(books, { invoice: yearly }), []);
  await bill(books, customerId);
  t.deepEqual(await renumber(books, { invoice: { ...yearly, start: 500 } }), []);
  await bill(books, customerId);
  await books.advance('2028-01-01');
  await bill(books, customerId);
  t.deepEqual(await numbersOf(books), [
    'A-7',
    'A-20',
    'INV-2027-0001',
    'INV-2027-0002',
    'INV-2028-0500',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a number belongs to one document: series that may meet one are mistakes', async (t) => {
  const books = await numbered('2027-01-15', { invoice: { prefix: 'A-1', start: 10 } });
  const customerId = await books.customer();
  await bill(books, customerId);
  t.deepEqual(await numbersOf(books), ['A-110']);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 1 } }), [
    'numbering.invoice: may give A-110, which is the number of a document',
  ]);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 111 } }), []);
  t.deepEqual(await renumber(books, { invoice: 1001, creditNote: 9001 }), [
    'numbering.creditNote: may give a number that numbering.invoice gives too',
  ]);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'Y', yearly: true } }), [
    'numbering.invoice.prefix: of a yearly series must have {YYYY} or {YY}',
  ]);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'TOO-LONG-{YYYY}' } }), [
    'numbering.invoice.prefix: must be ASCII letters, digits and - _ . /, with {YYYY} or {YY} for the year, at most 10 characters once that is filled in',
  ]);
  t.deepEqual(await numbersOf(books), ['A-110']);
});

test('the number of a cancellation belongs to it', async (t) => {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans,
    file: {
      documents: { cancellation: 'document' },
      numbering: { invoice: 1001, creditNote: { prefix: 'A-1', start: 10 } },
    },
  });
  await bill(books, await books.customer());
  await books.cancelInvoice(1001);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 1 } }), [
    'numbering.invoice: may give A-110, which is the number of a document',
  ]);
  t.deepEqual(await renumber(books, { invoice: { prefix: 'A-', start: 111 } }), []);
});
