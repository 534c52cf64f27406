/** What the facts of the books keep for the ledger: jurisdictions, days, transactions. */
import test from 'ava';
import { openAvatax } from '../../support/avatax.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { openTaxShop } from '../tax-records/shop.ts';

const db = await sharedDatabase();

const rowsOf = async ({ read }: Pick<Books, 'read'>, sql: string): Promise<string[]> =>
  (await read((tx) => tx.query<{ text: string }>(sql))).map(({ text }) => text);

const jurisdictions = `select concat_ws(' ', c.invoice_text, c.tax_jurisdiction) as text
  from invoice_charge c where c.kind = 'tax' order by c.id`;

test('a tax by the table keeps the country and state of its rate', async (t) => {
  const rates = [
    { country: 'US', state: 'New York', percent: '8.875', taxCode: 'STANDARD', name: 'Sales tax' },
    { country: 'US', percent: '1', taxCode: 'STANDARD', name: 'Country tax' },
  ];
  const plans = [recurring('P', 10, { ...prepaid, taxCodes: ['STANDARD'] })];
  const file = { tax: { type: 'table', rates } };
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'ny' } });
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  t.deepEqual(await rowsOf(books, jurisdictions), ['Sales tax US/NY', 'Country tax US']);
  // A credit has none of its own.
  const others = `select kind as text from invoice_charge
    where kind <> 'tax' and tax_jurisdiction is not null`;
  t.deepEqual(await rowsOf(books, others), []);
});

test('a tax of a provider keeps its jurisdiction', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  t.deepEqual(await rowsOf(shop.books, jurisdictions), [
    'NY STATE TAX US/36',
    'NY CITY TAX US/51000',
    'NY SPECIAL TAX US/359071',
  ]);
});

test('what is carried over is noted once, with its day and what was open of it', async (t) => {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  await books.paid({ customerId, amount: '42' });
  await books.bill(customerId, '100');
  const noted = `select concat_ws(' ', o.carried_on, coalesce('invoice ' || i.invoice_number, 'payment'),
      round(o.amount, 2)) as text
    from carry_over o left join invoice i on i.id = o.invoice_id order by o.id`;
  const zeroing = { ...everything, zeroOutCustomerBalance: true };
  books.jump('2027-02-01');
  const batchId = await batchInit(books, zeroing);
  // 12.00 of the payment went to the second invoice.
  const first = ['2027-02-01 invoice 1001 0.00', '2027-02-01 invoice 1002 88.00'];
  t.deepEqual(await rowsOf(books, noted), first);
  const jobs = await rowsOf(books, 'select distinct batch_id::text as text from carry_over');
  t.deepEqual(jobs, [String(batchId)]);
  await books.paid({ customerId, amount: '5' });
  books.jump('2027-02-02');
  await batchInit(books, zeroing);
  t.deepEqual(await rowsOf(books, noted), [...first, '2027-02-02 payment 5.00']);
  await t.throwsAsync(
    books.work(({ tx }) => tx.query('update carry_over set amount = 1')),
    { message: /permission denied|append/ },
  );
});

test('the facts of a transaction name it, and those of another one another', async (t) => {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  await books.paid({ customerId, amount: '30' });
  await batchInit(books, everything);
  const facts = `select 'entry ' || kind as fact, written_in from ledger_entry
    union all select 'application', written_in from invoice_payment
    union all select 'carried', written_in from carry_over`;
  const together = `select string_agg(fact, ', ' order by fact) as text from (${facts}) f
    group by written_in order by written_in`;
  t.deepEqual(await rowsOf(books, together), [
    'entry invoice',
    'application, entry payment',
    'carried',
  ]);
});
