/** Pages of the ledger: filters, the place where a reader goes on, and which days are closed. */
import test from 'ava';
import { inOperation } from '../../../operations/context/context.ts';
import type { LedgerRow } from '../../../operations/ledger/read.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { sharedDatabase } from '../support/books.ts';
import { agedTwice, countedTwice } from '../support/recounted.ts';
import { bookedOf, ledgerOf, ledgerPage, ledgerRows } from '../support/ledger.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import * as payments from '../support/payment-lives.ts';
import * as paying from '../support/payment-steps.ts';
import { newTally } from '../support/tally.ts';
import { costly, fc } from '../../support/random.ts';
import { makeTenant } from '../../support/tenants.ts';
import { everyFact, factsText } from '../../../db/queries/ledger/facts.ts';

const db = await sharedDatabase();

async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });
  return { books, customerId: await books.customer({ ref: 'ADA' }) };
}

test('each filter leaves the rows that it names', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '30');
  const other = await books.customer({ ref: 'BEN' });
  await books.bill(other, '5', { currency: 'EUR' });
  books.jump('2027-01-20');
  const paymentId = await books.paid({ customerId, amount: '30' });
  const count = async (asked: Parameters<typeof ledgerRows>[1]): Promise<number> =>
    (await ledgerRows(books, asked)).length;
  t.deepEqual(
    await Promise.all([
      count({}),
      count({ from: '2027-01-16' }),
      count({ to: '2027-01-19' }),
      count({ from: '2027-01-16', to: '2027-01-19' }),
      count({ customerId }),
      count({ extCustomerRef: 'BEN' }),
      count({ extCustomerRef: 'BEN', customerId }),
      count({ extCustomerRef: 'NOBODY' }),
      count({ account: 'receivables' }),
      count({ account: 'cash' }),
      count({ accountingCode: '2300' }),
      count({ entryType: 'Application' }),
      count({ invoiceNumber: '1001' }),
      count({ invoiceNumber: '999' }),
      count({ paymentId }),
      count({ currency: 'EUR' }),
    ]),
    [8, 4, 4, 0, 6, 2, 0, 0, 3, 1, 2, 2, 4, 0, 4, 2],
  );
});

test('pages of any size have each row once, in one order', async (t) => {
  const { books, customerId } = await opened();
  for (const amount of ['1', '2', '3', '4']) await books.bill(customerId, amount);
  await books.paid({ customerId, amount: '6' });
  const all = await ledgerOf(books);
  for (const max of [1, 2, 3, 7]) {
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const rows = await ledgerRows(books, { max, after });
      found.push(...(await ledgerOf(books, { max, after })));
      after = rows.at(-1)?.cursor;
      if (rows.length < max) break;
    }
    t.deepEqual(found, all);
  }
});

test('what commits after a page, though it began before, is on a later page once', async (t) => {
  const { books, customerId } = await opened();
  const late = await books.customer({ ref: 'LATE' });
  const begun = Promise.withResolvers<undefined>();
  const mayEnd = Promise.withResolvers<undefined>();
  const slow = inOperation(books.dependencies, books.tenantId, async ({ tx }) => {
    // It has its number before the others, and what it enters follows.
    await tx.query('select pg_current_xact_id()');
    begun.resolve(undefined);
    await mayEnd.promise;
    await tx.query(
      `with p as (insert into payment (tenant_id, customer_id, payment_type, status, currency,
         amount, effective_date, cascade_id, created_at, updated_at)
         values ($1, $2, 'Credit', 'Paid', 'USD', 3, '2027-01-15', 1, now(), now())
         returning id)
       insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, payment_id,
         entered_on, entered_at)
       select $1, $2, 'USD', 'credit', -3, id, '2027-01-15', now() from p`,
      [books.tenantId, late],
    );
  });
  await begun.promise;
  await books.bill(customerId, '30');
  const first = await ledgerRows(books);
  t.is(first.length, 2);
  mayEnd.resolve(undefined);
  await slow;
  await books.bill(customerId, '31');
  const after = first.at(-1)?.cursor;
  t.deepEqual(await bookedOf(books, { after }), [
    'Credit: adjustments 4900 debit 3.00',
    'Credit: unapplied 2300 credit 3.00',
    'Invoice: receivables 1200 debit 31.00',
    'Invoice: revenue 4000 credit 31.00',
  ]);
  // From the middle of the first page on, too.
  const [begin] = first;
  t.is((await ledgerRows(books, { after: begin?.cursor })).length, 5);
  const last = (await ledgerRows(books, { after })).at(-1)?.cursor;
  t.deepEqual(await ledgerRows(books, { after: last }), []);
});

test('a day is closed once it is over and no transaction that began on it is left', async (t) => {
  const { books, customerId } = await opened();
  books.later(3_600_000);
  await books.bill(customerId, '30');
  t.is((await ledgerPage(books)).closedTo, '2027-01-14');
  t.is((await ledgerPage(books, { to: '2027-01-14' })).closedTo, null);
  books.jump('2027-01-20');
  books.later(3_600_000);
  await books.bill(customerId, '31');
  // The first page has closed days only, and does not reach their end.
  t.is((await ledgerPage(books, { max: 2 })).closedTo, null);
  t.is((await ledgerPage(books, { max: 3 })).closedTo, '2027-01-19');
  t.is((await ledgerPage(books)).closedTo, '2027-01-19');
});

const withCodes = async (
  books: PaymentBooks,
  accounting: Readonly<Record<string, unknown>> | null,
): Promise<void> => {
  const file = accounting === null ? {} : { accounting };
  await makeTenant(books.dependencies, { label: books.label, file });
};

test('the first codes of a tenant rename its past, and later ones do not', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '30');
  await withCodes(books, { receivables: '1210', revenue: '4100' });
  const renamed = ['Invoice: receivables 1210 debit 30.00', 'Invoice: revenue 4100 credit 30.00'];
  t.deepEqual(await bookedOf(books), renamed);
  await withCodes(books, { receivables: '1220', cashAccounts: [{ method: 'Cash', code: '1010' }] });
  t.deepEqual(await bookedOf(books), renamed);
  await books.paid({ customerId, amount: '10' });
  await books.cancelInvoice(1001);
  t.deepEqual((await bookedOf(books)).slice(2), [
    'Payment: cash 1010 debit 10.00 (Cash)',
    'Payment: unapplied 2300 credit 10.00',
    'Application: unapplied 2300 debit 10.00',
    'Application: receivables 1220 credit 10.00',
    'Application: receivables 1220 debit 10.00',
    'Application: unapplied 2300 credit 10.00',
    // By the codes of the invoice.
    'InvoiceCancelled: revenue 4100 debit 30.00',
    'InvoiceCancelled: receivables 1210 credit 30.00',
  ]);
  await withCodes(books, null);
  await books.bill(customerId, '1');
  t.deepEqual((await bookedOf(books)).slice(-4, -2), [
    'Invoice: receivables 1200 debit 1.00',
    'Invoice: revenue 4000 credit 1.00',
  ]);
});

test('a page of any place is read by an index', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '30');
  const plan = await books.read(async (tx) => {
    await tx.query('set local enable_seqscan = off; set local enable_sort = off');
    const values: unknown[] = [tx.tenantId];
    const from = { transaction: '3', factId: 1 };
    const round = { since: null, until: '10:10:', from };
    const text = factsText(
      { ...everyFact, round, limit: 501 },
      (value) => `$${values.push(value)}`,
    );
    const rows = await tx.query<Record<string, string>>(`explain ${text}`, values);
    return rows.map((row) => Object.values(row).join('')).join('\n');
  });
  for (const table of ['ledger_entry', 'invoice_payment', 'carry_over']) {
    t.regex(plan, new RegExp(`Index Scan using ${table}_written`));
  }
  t.regex(plan, /Index Cond: .*ROW\(written_in, id\) >= ROW/);
});

/** Cursors of one row differ by the round in which it was read. */
const textOf = (row: LedgerRow): string => JSON.stringify({ ...row, cursor: null });

test('in any life a reader that goes on meets each row once, and closed days stay', async (t) => {
  const tally = newTally(paying.outlooks);
  const lives = fc.array(
    fc.oneof(
      { weight: 9, arbitrary: paying.step },
      { weight: 1, arbitrary: fc.constant('carry' as const) },
    ),
    { minLength: 8, maxLength: 20 },
  );
  const property = fc.asyncProperty(lives, fc.integer({ min: 1, max: 40 }), async (steps, max) => {
    const world = await payments.newWorld(db);
    const { books } = world;
    const read: string[] = [];
    let after: string | undefined;
    let closed: { to: string; rows: readonly string[] } | undefined;
    const goOn = async (): Promise<void> => {
      for (;;) {
        const { rows } = await ledgerPage(books, { after, max });
        read.push(...rows.map(textOf));
        after = rows.at(-1)?.cursor ?? after;
        if (rows.length < max) return;
      }
    };
    for (const each of steps) {
      if (each === 'carry') await batchInit(books, { ...everything, zeroOutCustomerBalance: true });
      else await tally.take(paying.kindOf(each), () => payments.perform(world, each));
      await goOn();
      const to = addDays(books.today(), -1);
      const rows = await ledgerOf(books, { to });
      if (closed !== undefined) {
        t.deepEqual(await ledgerOf(books, { to: closed.to }), closed.rows.slice());
      }
      closed = { to, rows };
    }
    const all = (await ledgerRows(books)).map(textOf);
    t.deepEqual(read.toSorted(), all.toSorted());
    t.deepEqual((await books.audit()).faults, []);
    // And by a second calculation, from documents.
    const to = books.today();
    const early = { from: '2027-01-01', to: addDays(to, -5) };
    for (const window of [early, { from: addDays(to, -10), to }]) {
      const counts = await countedTwice(books, window);
      t.deepEqual(counts.reported, counts.recounted);
    }
    const aged = await agedTwice(books);
    t.deepEqual(aged.reported, aged.recounted);
  });
  await fc.assert(property, { ...costly, numRuns: 4 });
});
